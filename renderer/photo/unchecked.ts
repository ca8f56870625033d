import type { Cap, VerdictReason } from '../../main/contract/reason.ts';

const said = (reason: VerdictReason): readonly string[] =>
  reason.code === 'words_not_checked' || reason.code === 'concept_unknown' ? reason.params.words : [];

/** Words that could not be checked and that neither the reason nor a cap speaks of already. */
export const uncheckedBeyond = (
  notChecked: readonly string[],
  reason: VerdictReason,
  caps: readonly Cap[],
): readonly string[] => {
  const known = new Set([...said(reason), ...caps.flatMap((cap) => said(cap.reason))]);
  return notChecked.filter((word) => !known.has(word));
};
