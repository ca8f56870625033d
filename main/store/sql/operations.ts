/** All operations over one open database. */
import { statSync } from 'node:fs';
import { pruneBackups } from '../backup-files.ts';
import type { StoreOperations, UpkeepOperations, VerdictOperations } from '../types.ts';
import { backupHome, backupTo } from './backup.ts';
import { checkStore } from './check.ts';
import { atomic, type Db } from './connection.ts';
import { flagOperations } from './flags.ts';
import { folderOperations } from './folders.ts';
import { hypothesisOperations } from './hypotheses.ts';
import { appliedMigrations } from './migrate.ts';
import { countPairs, pairScopes } from './pair-scope.ts';
import { photoOperations } from './photos.ts';
import { qualityOperations } from './quality.ts';
import { quarantineOperations } from './quarantine.ts';
import { queueOperations } from './queues.ts';
import { redecideOperation } from './redecide.ts';
import { resultOperations } from './results.ts';
import { reviewOperations } from './reviews.ts';
import { runOperations, settingOperations } from './runs.ts';
import { statementOperations } from './statements.ts';
import { tagOperations } from './tags.ts';
import { verdictCounts } from './verdict-counts.ts';
import { verdictReader } from './verdict-list.ts';
import { verdictWriter } from './verdicts.ts';

const upkeepOperations = (db: Db, home: string, restore: UpkeepOperations['restore']): UpkeepOperations => {
  const count = (table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  return {
    check: () => checkStore(db),
    backup: (file) => (file === undefined ? backupHome(db, home, '') : backupTo(db, file)),
    restore,
    pruneBackups: (keep) => pruneBackups(home, keep),
    figures: () => ({
      bytes: statSync(db.name).size,
      photos: count('photos'),
      verdicts: count('verdicts'),
      pairs: count('pairs'),
      schema: appliedMigrations(db).at(-1) ?? '',
      journalMode: String(db.pragma('journal_mode', { simple: true })),
    }),
  };
};

const scopeCounts = (db: Db): Pick<VerdictOperations, 'count'> => {
  const scoped = pairScopes(db);
  return { count: (scope) => countPairs(db, scoped(scope)) };
};

export const storeOperations = (db: Db, home: string, restore: UpkeepOperations['restore']): StoreOperations => {
  const append = verdictWriter(db);
  return {
    photos: photoOperations(db),
    quarantine: quarantineOperations(db),
    statements: statementOperations(db),
    hypotheses: hypothesisOperations(db),
    verdicts: {
      append: atomic(db, append),
      ...redecideOperation(db, append),
      ...verdictReader(db),
      ...verdictCounts(db),
      ...scopeCounts(db),
    },
    results: resultOperations(db),
    queues: queueOperations(db),
    quality: qualityOperations(db),
    reviews: reviewOperations(db),
    flags: flagOperations(db),
    tags: tagOperations(db),
    folders: folderOperations(db),
    runs: runOperations(db),
    settings: settingOperations(db),
    upkeep: upkeepOperations(db, home, restore),
  };
};
