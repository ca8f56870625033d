/** Brings a database to the newest schema with umzug; a backup is made before each migration of one that was there. */

import { dirname } from 'node:path';
import { failWith } from '../../failure.ts';
import type { Db } from './connection.ts';
import { applicationId } from './connection.ts';
import type { Migration } from './migrations/index.ts';

export const appliedMigrations = (db: Db): readonly string[] => {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  return known ? db.prepare<[], string>('SELECT name FROM migrations ORDER BY name').pluck().all() : [];
};

/** Throws store_newer for a database that a later version of Vouch has written. */
export const pendingMigrations = (db: Db, known: readonly Migration[]): readonly Migration[] => {
  const applied = appliedMigrations(db);
  const unknown = applied.find((name) => !known.some((migration) => migration.name === name));
  if (unknown) failWith('store_newer', { path: dirname(db.name), schema: unknown });
  return known.filter((migration) => !applied.includes(migration.name));
};

const apply = (db: Db, { name, sql }: Migration): void => {
  db.transaction(() => {
    db.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT');
    db.exec(sql);
    // With the schema in one transaction: a kill in between would otherwise run the migration twice.
    db.prepare('INSERT INTO migrations VALUES (?, ?)').run(name, Date.now());
    db.pragma(`application_id = ${applicationId}`);
  })();
};

export const migrate = async (
  db: Db,
  known: readonly Migration[],
  backup: (label: string) => Promise<unknown>,
): Promise<void> => {
  if (pendingMigrations(db, known).length === 0) return;
  const wasThere = appliedMigrations(db).length > 0;
  const { Umzug } = await import('umzug');
  const umzug = new Umzug({
    migrations: known.map((migration) => ({
      name: migration.name,
      up: async () => {
        if (wasThere) await backup(`before-${migration.name}`);
        apply(db, migration);
      },
    })),
    storage: {
      executed: async () => [...appliedMigrations(db)],
      logMigration: async () => {},
      unlogMigration: async () => {},
    },
    logger: undefined,
  });
  await umzug.up();
};
