/** The loopback HTTP server: routes, who may call them, and errors as `{error: {code, message}}`. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { VerdictsDocument } from '../contract/cli.ts';
import { type VouchError, vouchError } from '../contract/errors.ts';
import { judgeRequestSchema, type ProblemDocument, type VerdictsQuery, verdictsQuerySchema } from '../contract/http.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import type { Judging } from '../judging/judging.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { wordsIn } from '../words/words.ts';
import { refusal } from './guard.ts';
import { answerJudge, judgeRoute } from './judge.ts';
import { statusOf } from './status.ts';

export type ServerOptions = Readonly<{
  /** 0: any that is free. */
  port: number;
  token: string;
  judging: Judging;
  verdicts: (query: VerdictsQuery) => Promise<VerdictsDocument>;
  telemetry: Telemetry;
  /** What errors that are defects of ours name as the place that says more. */
  logFile: string;
}>;

export type Server = Readonly<{
  url: string;
  /** Resolves when what is under way is answered. */
  close: () => Promise<void>;
}>;

/** Of a whole request, in bytes: a photo of 48 MB as base64. */
const bodyLimit = 64_000_000;
/** A client that sends slower is let go; ms. */
const requestMs = 60_000;
const retryAfterSeconds = 1;
const { errorText } = wordsIn('en', 'http');

const openToAll: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/** @throws VouchFailure where the port cannot be had. */
export const startServer = async (options: ServerOptions): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-serve-'));
  const app = fastify({
    bodyLimit,
    requestTimeout: requestMs,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply: FastifyReply) =>
      void reply.send(fail(error, request, reply, options.logFile)),
  });
  const close = async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  };
  endWithLastAnswer(app);
  addRules(app, options);
  addRoutes(app, options, folder);
  try {
    await app.listen({ host: '127.0.0.1', port: options.port });
  } catch (error) {
    await close();
    throw notListening(error as NodeJS.ErrnoException, options.port);
  }
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close };
};

const addRules = (app: FastifyInstance, { token, telemetry, logFile }: ServerOptions): void => {
  // A web page may send text without asking first; nothing but JSON is read.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    const refused = refusal(headers, openToAll.has(routeOptions.url) ? null : token);
    if (refused) throw new VouchFailure(refused);
  });
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? null;
    telemetry.emit('http', { method, route, status: statusCode, ms: Math.round(elapsedTime) });
  });
  app.setErrorHandler((error: Error, request, reply) => {
    const problem = fail(error, request, reply, logFile);
    if (reply.statusCode === 500) telemetry.emit('http_failed', { error: String(error) });
    return problem;
  });
  app.setNotFoundHandler(({ method, url }) => {
    throw new VouchFailure(vouchError('no_route', { method, path: url.split('?')[0] ?? '' }));
  });
};

/** A connection on which nothing is under way must not hold up the end, whether it was used before or not. */
const endWithLastAnswer = (app: FastifyInstance): void => {
  let closing = false;
  let underWay = 0;
  const letGo = () => {
    if (closing && underWay === 0) app.server.closeAllConnections();
  };
  app.addHook('onRequest', async (_request, { raw }) => {
    underWay += 1;
    // Comes after the last byte, and also where the client has gone.
    raw.once('close', () => {
      underWay -= 1;
      letGo();
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    letGo();
  });
};

const addRoutes = (app: FastifyInstance, { judging, verdicts }: ServerOptions, folder: string): void => {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    if (!isReady(judging)) throw new VouchFailure(vouchError('not_ready', { detail: 'the engine is not running' }));
    return { ready: true };
  });
  app.post('/v1/judge', async (request, reply) => {
    const asked = parsed(judgeRequestSchema, request.body, judgeRoute);
    return answerJudge(judging, asked, folder, request.id, whileWaiting(reply));
  });
  app.get('/v1/verdicts', async ({ query }) => verdicts(parsed(verdictsQuerySchema, query, 'GET /v1/verdicts')));
};

/** A pause of judging does not count: it ends when a photo comes. */
const isReady = (judging: Judging): boolean =>
  judging
    .startedEngine()
    ?.stats()
    .hosts.some(({ kind, pid }) => kind === 'inference' && pid !== undefined) ?? false;

/** Aborted once the answer is sent or nobody waits for it any more. */
const whileWaiting = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
};

const parsed = <S extends z.ZodType>(schema: S, input: unknown, channel: string): z.output<S> => {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const problem = issue?.message ?? 'is not as it should be';
  throw new VouchFailure(vouchError('invalid_input', { channel, path: issue?.path.join('.') ?? '', problem }));
};

const fail = (
  thrown: Error,
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  logFile: string,
): ProblemDocument => {
  const error = problemOf(thrown, `${method} ${url}`, logFile);
  const status = statusOf(error);
  reply.code(status);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 503) reply.header('retry-after', retryAfterSeconds);
  return { error: { code: error.code, message: errorText(error) } };
};

/** The framework's own errors are about requests that it could not read. */
const problemOf = (thrown: Error, channel: string, logFile: string): VouchError => {
  const status = 'statusCode' in thrown ? Number(thrown.statusCode) : 500;
  if (status === 413) return vouchError('body_too_large', { limit: bodyLimit });
  if (status < 500) return vouchError('invalid_input', { channel, path: '', problem: thrown.message });
  return errorOf(thrown, logFile);
};

const notListening = ({ code, message }: NodeJS.ErrnoException, port: number): VouchFailure => {
  const why = { EADDRINUSE: 'is taken', EACCES: 'may not be used by you' }[code ?? ''] ?? `cannot be used (${message})`;
  const problem = `Port ${port} ${why}. Give another with --port, or --port 0 for any that is free.`;
  return new VouchFailure(vouchError('usage', { problem }));
};
