/** The screens of the window, in the order of its rail: the one list that the rail, the menu and the keys are made of. */
export const screens = [
  { name: 'review', keys: ['$mod+1'] },
  { name: 'library', keys: ['$mod+2'] },
  { name: 'results', keys: ['$mod+3'] },
  { name: 'statements', keys: ['$mod+4'] },
  { name: 'engine', keys: ['$mod+5'] },
  { name: 'settings', keys: ['$mod+,', '$mod+6'] },
] as const satisfies readonly Screen<string>[];

/** `keys`, in the notation of tinykeys, lead to the screen; menus show the first of them. */
export type Screen<Name extends string = ScreenName> = Readonly<{ name: Name; keys: readonly [string, ...string[]] }>;
export type ScreenName = (typeof screens)[number]['name'];
