/** The themes of the window. Beside its row here, a theme needs its colours in renderer/ui/tokens.css and its name in words. */
export const themes = [
  { name: 'dark', native: 'dark', background: '#161616' },
  { name: 'light', native: 'light', background: '#f4f4f4' },
] as const satisfies readonly Theme<string>[];

export type Theme<Name extends string = ThemeName> = Readonly<{
  name: Name;
  /** What menus, scroll bars and the system's own dialogs look like beside it. */
  native: 'dark' | 'light';
  /** The colour of the window until its page is there: the role `--surface` of the theme. */
  background: string;
}>;
export type ThemeName = (typeof themes)[number]['name'];

/** A person chooses a theme, or leaves the choice between dark and light to the system. */
export const themeChoices = [...themes.map(({ name }) => name), 'system'] as const;
export type ThemeChoice = ThemeName | 'system';

const named = (name: ThemeName): Theme => themes.find((theme) => theme.name === name)!;

/** The theme that a choice comes to, while the system itself is dark or light. */
export const themeOf = (choice: ThemeChoice, systemIsDark: boolean): Theme =>
  named(choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice);

/** What Electron's `nativeTheme.themeSource` has to be for a choice. */
export const themeSourceOf = (choice: ThemeChoice): 'dark' | 'light' | 'system' =>
  choice === 'system' ? 'system' : named(choice).native;

/** The theme after this one, and after the last the first. */
export const themeAfter = (name: ThemeName): ThemeName =>
  themes[(themes.findIndex((theme) => theme.name === name) + 1) % themes.length]!.name;
