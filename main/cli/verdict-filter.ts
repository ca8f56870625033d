/** The options by which several commands choose verdicts, and what is so chosen. */
import { type Command, Option } from 'commander';
import { type Grade, grades, type Label, labels } from '../contract/labels.ts';
import { failedWith } from '../failure.ts';
import type { Store, VerdictFilter, VerdictPage } from '../store/types.ts';

export type FilterOptions = Readonly<{
  label?: Label;
  grade?: Grade;
  statement?: string;
  path?: string;
  wantsReview?: boolean;
}>;

export const filtering = (command: Command): Command =>
  command
    .addOption(new Option('--label <label>', 'only this label').choices(labels))
    .addOption(new Option('--grade <grade>', 'only this grade').choices(grades))
    .option('--statement <text>', 'only this statement, by text or id')
    .option('--path <glob>', 'only photos whose path fits, such as "**/2026/*.jpg"')
    .option('--wants-review', 'only what a person should look at');

export const filterFrom = ({ label, grade, statement, path, wantsReview }: FilterOptions): VerdictFilter => ({
  ...(label && { label }),
  ...(grade && { grade }),
  ...(statement && { statement }),
  ...(path && { path }),
  ...(wantsReview && { wantsReview }),
});

const none: VerdictPage = { total: 0, items: [], next: null };

/** Current verdicts, newest first; none where nothing was judged yet. */
export const listVerdicts = async (
  read: (use: (store: Store) => Promise<VerdictPage>) => Promise<VerdictPage>,
  filter: VerdictFilter,
  limit: number,
): Promise<VerdictPage> => {
  try {
    return await read((store) => store.verdicts.list(filter, { limit }));
  } catch (error) {
    if (failedWith(error, 'store_missing')) return none;
    throw error;
  }
};
