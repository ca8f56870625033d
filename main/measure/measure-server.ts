/** Puts a local server under the load of `bench`: each client sends a photo, and the next when it has its answer. */
import { readFile } from 'node:fs/promises';
import { type BenchDocument, judgeDocumentSchema } from '../contract/cli.ts';
import { vouchError } from '../contract/errors.ts';
import { type JudgeRequest, problemDocumentSchema } from '../contract/http.ts';
import { VouchFailure } from '../failure.ts';
import { rowOf } from './bench-tables.ts';
import { figuresOf, runClients } from './load-test.ts';

export type ServerLoad = Readonly<{
  /** Where the server listens. */
  url: URL;
  token: string | null;
  clients: readonly number[];
  signal: AbortSignal;
  onRow?: (done: number, all: number) => void;
}>;

const statement = 'a dog';

/**
 * The concurrency table of a server, as its clients see it: ms from the request to the whole answer. What it does
 * inside is not to be seen: there are no batches, no knee and no memory.
 * @throws VouchFailure where no server answers, or it does not answer a first photo.
 */
export const measureServer = async (
  photos: readonly string[],
  { url, token, clients, signal, onRow }: ServerLoad,
): Promise<BenchDocument> => {
  const requests = await Promise.all(
    photos.map(async (photo) => {
      const request: JudgeRequest = { statement, image: await readFile(photo, 'base64') };
      return JSON.stringify(request);
    }),
  );
  const target = new URL('v1/judge', url.href.endsWith('/') ? url : `${url.href}/`);
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
  // A redirect would take the token elsewhere.
  const send = (body: string) => fetch(target, { method: 'POST', headers, body, signal, redirect: 'error' });
  const ask = async (body: string): Promise<number | null> => {
    const startedAt = performance.now();
    try {
      const response = await send(body);
      await response.arrayBuffer();
      return response.ok ? performance.now() - startedAt : null;
    } catch {
      return null;
    }
  };

  const provider = await firstAnswer(() => send(requests[0]!), url, signal);
  const concurrency: BenchDocument['concurrency'] = [];
  for (const count of clients) {
    const { ms, seconds, failures } = await runClients(ask, requests, {
      clients: count,
      atLeast: rowOf(count),
      signal,
    });
    signal.throwIfAborted();
    concurrency.push({
      clients: count,
      ...figuresOf(ms, seconds),
      rssMb: null,
      deviceMemoryMb: null,
      failures,
    });
    onRow?.(concurrency.length, clients.length);
  }
  return { batches: [], concurrency, knee: null, provider };
};

/** The device that judges there. */
const firstAnswer = async (send: () => Promise<Response>, url: URL, signal: AbortSignal): Promise<string> => {
  const refuse = (problem: string) => new VouchFailure(vouchError('usage', { problem }));
  const response = await send().catch((error: Error) => {
    signal.throwIfAborted();
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw refuse(`No server answers at ${url.href} (${message}). Start one with: vouch serve`);
  });
  const body: unknown = await response.json().catch(() => null);
  const problem = problemDocumentSchema.safeParse(body);
  if (problem.success) throw refuse(`${url.href} refused: ${problem.data.error.message}`);
  const answer = judgeDocumentSchema.safeParse(body);
  if (!answer.success) throw refuse(`What answers at ${url.href} is no server of Vouch.`);
  return answer.data.device.used ?? 'none';
};
