/** `vouch judge IMAGE -s TEXT`: one spot check; stores nothing. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { judgeDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/errors.ts';
import { judgeDocument } from '../documents/documents.ts';
import { VouchFailure } from '../failure.ts';
import { judgeOne, type SpotCheck } from '../judging/judge-one.ts';
import { reasonText } from '../words/english.ts';
import { explanationLines } from './explanation.ts';
import { common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';

type JudgeOptions = CommonOptions & EngineOptions & Readonly<{ statement: string }>;

export const addJudge = (program: Command, entry: string): void => {
  engine(common(program.command('judge')))
    .summary('judge one photo against one statement')
    .description('Judges one photo against one statement and says why. Stores nothing.')
    .argument('<image>', 'the photo')
    .requiredOption('-s, --statement <text>', 'the statement')
    .addHelpText('after', '\nExample:\n  vouch judge cat.jpg -s "a cat is sleeping"')
    .action((image: string, options: JudgeOptions) =>
      withSession(entry, options, async (session) => {
        const path = resolve(image);
        if (!(await stat(path).catch(() => null))?.isFile())
          throw new VouchFailure(vouchError('file_missing', { path }));
        await session.withJudging(judgingOptionsFrom(options, { prescreen: true }), async (judging) => {
          const check = await judgeOne(judging, path, options.statement, session.signal);
          if (options.json) printDocument(judgeDocumentSchema, judgeDocument(judging, check));
          else printCheck(check);
        });
      }),
    );
};

const printCheck = ({ row, sent, timingMs }: SpotCheck): void => {
  const { label, lean, confidence, grade, reason, explanation } = row;
  const leaning = label === 'maybe' && lean !== null && lean !== 'maybe' ? `, leans ${lean}` : '';
  print(`${label.toUpperCase()}${leaning}${confidence === null ? '' : ` ${confidence.toFixed(2)}`} (${grade})`);
  print(reasonText(reason));
  if (explanation) for (const line of explanationLines(explanation)) print(`  ${line}`);
  if (sent.removed.length > 0) print(`Left out before judging: ${sent.removed.join(', ')}`);
  if (sent.cut.length > 0) print(`Too long, not checked: ${sent.cut.join(' ')}`);
  print(`${Math.round(timingMs.total)} ms`);
};
