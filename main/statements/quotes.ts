/** Words inside quotation marks are what a sign or a shirt says, not how sure the writer is: they stay as they are. */

const quoted = /"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」|『[^』]*』/gu;

/** Start and end offsets of quoted spans, in order. */
export const quotedSpans = (text: string): readonly (readonly [number, number])[] =>
  [...text.matchAll(quoted)].map((match) => [match.index, match.index + match[0].length] as const);

/** Changes only what stands outside quotation marks. */
export const outsideQuotes = (text: string, change: (plain: string) => string): string => {
  let changed = '';
  let from = 0;
  for (const [start, end] of quotedSpans(text)) {
    changed += change(text.slice(from, start)) + text.slice(start, end);
    from = end;
  }
  return changed + change(text.slice(from));
};
