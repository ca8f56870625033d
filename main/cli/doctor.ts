/** `vouch doctor`: is everything there that judging needs? */
import type { Command } from 'commander';
import { checkHealth } from '../app/health.ts';
import { doctorDocumentSchema, exitCodes } from '../contract/cli.ts';
import { findingText, fixText } from '../words/english.ts';
import { common, type EngineOptions, engine, judgingOptionsFrom } from './options.ts';
import { print, printDocument } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';

export const addDoctor = (program: Command, entry: string): void => {
  engine(common(program.command('doctor')))
    .summary('check runtime, model, device, database, disk and limits')
    .description('Checks everything that judging needs and says what to do where something is wrong.')
    .action((options: CommonOptions & EngineOptions) =>
      withSession(entry, options, async ({ core }) => {
        const judgingOptions = judgingOptionsFrom(options, { prescreen: false });
        const found = await checkHealth(core, judgingOptions);
        const checks = found.map(({ name, ok, detail, fix }) => ({
          ...{ name, ok, detail: findingText(detail) },
          fix: fix && fixText(fix),
        }));
        const ok = checks.every((check) => check.ok);
        if (!ok) process.exitCode = exitCodes.unexpected;
        if (options.json) {
          printDocument(doctorDocumentSchema, { ok, checks });
          return;
        }
        for (const { name, ok: fine, detail, fix } of checks) {
          print(`${fine ? 'ok  ' : 'BAD '} ${name.padEnd(9)} ${detail}`);
          if (fix) print(`               -> ${fix}`);
        }
      }),
    );
};
