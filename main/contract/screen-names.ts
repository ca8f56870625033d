/** The screens of the window, in the order of its rail: the one list that the rail, the menu and the keys are made of. */
export const screens = [
  { name: 'review', keys: ['1'] },
  { name: 'library', keys: ['2'] },
  { name: 'results', keys: ['3'] },
  { name: 'statements', keys: ['4'] },
  { name: 'engine', keys: ['5'] },
  { name: 'settings', keys: [',', '6'] },
] as const satisfies readonly Screen<string>[];

/** `keys` lead to the screen, each with Ctrl (on a Mac with Command); menus show the first of them. */
export type Screen<Name extends string = ScreenName> = Readonly<{ name: Name; keys: readonly [string, ...string[]] }>;
export type ScreenName = (typeof screens)[number]['name'];
