/** Changes whenever the same photo may give other pixels: part of the evidence's key. */
export const preprocessVersion = 3;
