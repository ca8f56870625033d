/** The options by which several commands choose verdicts. */
import { type Command, Option } from 'commander';
import { type Grade, grades, type Label, labels } from '../contract/labels.ts';
import type { VerdictFilter } from '../store/types.ts';

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
