/** `vouch serve`: answers other programs on this machine over HTTP, until interrupted. */
import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes } from '../contract/cli.ts';
import { keptToken } from '../server/token.ts';
import { openSharedReader } from '../store/core/shared-reader.ts';
import { verdictsDocument } from '../words/documents.ts';
import { type EngineOptions, engine, homed, judgingOptionsFrom } from './options.ts';
import { note, print } from './output.ts';
import { type CommandSession, type CommonOptions, withSession } from './session.ts';
import { filterFrom, listVerdicts } from './verdict-filter.ts';

type ServeOptions = CommonOptions & EngineOptions & Readonly<{ port: number }>;

const usualPort = 8478;
const highestPort = 65_535;

const portNumber = (value: string): number => {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > highestPort) throw new InvalidArgumentError(`Give 0 to ${highestPort}.`);
  return port;
};

const help = `
POST /v1/judge    {"statement": TEXT, "path": FILE} or {"statement": TEXT,
                  "image": BASE64}: what vouch judge --json prints; stores nothing
GET /v1/verdicts  what vouch verdicts --json prints, chosen by ?label=, grade=,
                  statement=, path=, wantsReview=true, limit=
GET /healthz      200 while it runs; needs no token
GET /readyz       200 while photos can be judged, else 503; needs no token

What is not answered is {"error": {"code": CODE, "message": TEXT}}:
  400 wrong input   404 no such file      422 a photo that cannot be judged
  401 no token      413 more than 64 MB   503 not ready, or too much at once
  403 a web page    415 no image          504 not judged in time

Example:
  vouch serve --port 9000
  curl -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\
    -d '{"statement": "a cat", "path": "/photos/cat.jpg"}' \\
    http://127.0.0.1:9000/v1/judge`;

export const addServe = (program: Command, entry: string): void => {
  engine(homed(program.command('serve')))
    .summary('judge photos for other programs on this machine, over HTTP')
    .description(
      'Answers programs on this machine over HTTP, at 127.0.0.1 only, until interrupted with Ctrl+C (exit code 130). ' +
        'Each request needs the token that is printed at the start; the file server-token of VOUCH_HOME keeps it, and ' +
        'without that file a new one is made. Web pages are refused.',
    )
    .option('--port <n>', 'where to listen; 0: any port that is free, which is printed', portNumber, usualPort)
    .addHelpText('after', help)
    .action((options: ServeOptions) => withSession(entry, options, (session) => runCommand(session, options)));
};

const runCommand = async (session: CommandSession, options: ServeOptions): Promise<void> => {
  const { core, signal } = session;
  const token = keptToken(core.home.token);
  // Loaded here alone: no other command is to wait for it.
  const { startServer } = await import('../server/server.ts');
  const reader = openSharedReader(core.home.database, () => core.openStore('read'));
  await session.withJudging(judgingOptionsFrom(options, { prescreen: true }), async (judging) => {
    const server = await startServer({
      port: options.port,
      token,
      judging,
      verdicts: async ({ limit, ...filter }) =>
        verdictsDocument(await listVerdicts(reader.read, filterFrom(filter), limit)),
      telemetry: core.telemetry,
    });
    try {
      print(`Listening on ${server.url}`);
      print(`Token: ${token}`);
      await judging.engine();
      note('Ready. Ctrl+C ends it.');
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.close();
      await reader.close();
    }
    process.exitCode = exitCodes.interrupted;
  });
};
