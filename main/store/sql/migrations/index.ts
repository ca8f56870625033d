/** Every migration, oldest first. A migration that has shipped is never changed. */
import * as initial from './0001-initial.ts';
import * as review from './0002-review.ts';
import * as tags from './0003-tags.ts';
import * as similar from './0004-similar.ts';
import * as flagActs from './0005-flag-acts.ts';
import * as policyStamp from './0006-policy-stamp.ts';
import * as hypotheses from './0007-hypotheses.ts';

export type Migration = Readonly<{ name: string; sql: string }>;

export const migrations: readonly Migration[] = [initial, review, tags, similar, flagActs, policyStamp, hypotheses];
