/** Whose photo goes first: one that a person waits for, then bulk work, then what is tried again. */
export const priorities = ['interactive', 'bulk', 'retry'] as const;
export type Priority = (typeof priorities)[number];
