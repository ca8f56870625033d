/** `vouch backup` and `vouch restore FILE`: the database. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backupDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/error.ts';
import { safeOutput } from '../export/guard.ts';
import { VouchFailure } from '../failure.ts';
import { common } from './options.ts';
import { print, printDocument } from './output.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** A backup takes the place of what is there, which no device and no folder survives. */
const backupPlace = async (file: string, { core }: CommandSession): Promise<string> => {
  const path = await safeOutput(file, core.home);
  if ((await stat(path).catch(() => null))?.isFile() === false) {
    throw new VouchFailure(vouchError('usage', { problem: `${path} is not a file; name the file to write.` }));
  }
  return path;
};

export const addBackup = (program: Command, entry: string): void => {
  common(program.command('backup'))
    .summary('copy the database while it is in use')
    .description('Copies the database to a file; without one, to the folder backups of VOUCH_HOME.')
    .argument('[file]', 'where to')
    .action((file: string | undefined, options: CommonOptions) =>
      withSession(entry, options, (session) =>
        session.withStore('write', async (store) => {
          const target = file === undefined ? undefined : await backupPlace(file, session);
          const { file: written, bytes } = await store.upkeep.backup(target);
          if (options.json) printDocument(backupDocumentSchema, { file: written, bytes });
          else print(`Backed up to ${written} (${megabytes(bytes)}).`);
        }),
      ),
    );
};

export const addRestore = (program: Command, entry: string): void => {
  common(program.command('restore'))
    .summary('put a backup in place of the database')
    .description('Puts a backup in place of the database. The present one is set aside, not deleted.')
    .argument('<file>', 'a backup')
    .action((file: string, options: CommonOptions) =>
      withSession(entry, options, (session) =>
        session.withStore('write', async (store) => {
          const { file: restored, bytes, setAside } = await store.upkeep.restore(resolve(file));
          if (options.json) printDocument(backupDocumentSchema, { file: restored, bytes });
          else print(`Restored ${restored} (${megabytes(bytes)}). The database before it is now ${setAside}.`);
        }),
      ),
    );
};
