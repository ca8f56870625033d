/** The command line: one file a command; errors become words on stderr and an exit code. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../contract/cli.ts';
import { errorOf } from '../failure.ts';
import { errorText } from '../words/english.ts';
import { addBackup, addRestore } from './backup.ts';
import { addBench } from './bench.ts';
import { addDoctor } from './doctor.ts';
import { addEval } from './eval.ts';
import { exitCodeOf } from './exit.ts';
import { addExport } from './export.ts';
import { addJudge } from './judge.ts';
import { note } from './output.ts';
import { addQueue } from './queue.ts';
import { addReview, addUndo } from './review.ts';
import { addScan } from './scan.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addVerdicts } from './verdicts.ts';
import { addWatch } from './watch.ts';

declare const __VOUCH_VERSION__: string;

const entry = realpathSync(fileURLToPath(import.meta.url));

const program = new Command('vouch')
  .description('Judges whether photos bear out statements: YES, NO or MAYBE, offline, with a reason.')
  .version(__VOUCH_VERSION__)
  .exitOverride()
  .showHelpAfterError('(add --help for what this command takes)')
  .addHelpText(
    'after',
    '\nStart with:\n  vouch scan resources/samples --set resources/statements/samples.yaml\n  vouch verdicts --wants-review\n' +
      '\nExit codes: 0 done, 1 unexpected, 2 wrong usage, 3 no model or device, 4 --strict and something failed,\n' +
      '5 the database is locked, broken or on a network path, 130 interrupted.',
  );

/** Of the first cause. */
const stackOf = (thrown: unknown): string =>
  thrown instanceof Error
    ? thrown.cause instanceof Error
      ? stackOf(thrown.cause)
      : String(thrown.stack)
    : String(thrown);

const commands = [
  ...[addScan, addWatch, addJudge, addVerdicts, addQueue, addReview, addUndo],
  ...[addSearch, addEval, addExport, addBench, addServe, addDoctor, addBackup, addRestore],
];
for (const add of commands) add(program, entry);

// A reader that has seen enough (`vouch verdicts | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  } else {
    const error = errorOf(thrown);
    note(`vouch: ${errorText(error)}`);
    if (error.code === 'unexpected' && process.env.VOUCH_DEBUG) note(stackOf(thrown));
    process.exitCode = exitCodeOf(error.code);
  }
}
