/** Worker thread entry: holds the sessions of one pack and runs one batch after another. `session.run` blocks it. */
import { parentPort } from 'node:worker_threads';
import type { Precision } from '../../contract/labels.ts';
import type { Adapter, PhotoBatch, RunGraph } from '../../contract/seam.ts';
import { type Fault, strike } from '../../hosts/faults.ts';
import type {
  SampleResult,
  SessionJoin,
  SessionLoad,
  SessionReply,
  SessionRequest,
  SessionRun,
  SessionWork,
} from '../worker-protocol.ts';
import { LoadError, messageOf, NotFinite } from './backend.ts';
import { type Loaded, openFirst, openJoining } from './load-pack.ts';

const failedResult = ({ failureOf }: Loaded, error: unknown): SampleResult => {
  const detail = messageOf(error).slice(0, 500);
  return { kind: 'failed', code: error instanceof NotFinite ? 'not_finite' : failureOf(detail), detail };
};

/** A view into a larger buffer would drag all of it along when posted. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);

const actOut = (fault: Fault | undefined): void => {
  strike(fault);
  if (fault?.what === 'out_of_memory') throw new Error('out of memory (on demand)');
  if (fault?.what === 'device_lost') throw new Error('device lost (on demand)');
  if (fault?.what === 'not_finite') throw new NotFinite('not finite (on demand)');
};

/** As many as the batch has pictures, which may be more than there are samples. */
const pad = <T>(items: readonly T[], size: number, filler: T): readonly T[] => [
  ...items,
  ...new Array<T>(size - items.length).fill(filler),
];

const runWork = async (
  adapter: Adapter,
  batch: PhotoBatch,
  work: SessionWork,
  run: RunGraph,
): Promise<readonly SampleResult[]> => {
  if (work.kind === 'encode' && adapter.kind === 'separable') {
    const evidence = await adapter.encodePhotos(batch, run);
    return evidence.map((bytes) => ({ kind: 'evidence', evidence: alone(bytes) }));
  }
  if (work.kind === 'judge' && adapter.kind === 'joint') {
    const judgements = await adapter.judgePairs(batch, pad(work.pairs, batch.size, { text: '' }), run);
    return judgements.map((judgement) => ({ kind: 'judgement', judgement }));
  }
  if (work.kind === 'ask' && adapter.ask) {
    const answers = await adapter.ask(batch, pad(work.questions, batch.size, ''), run);
    return answers.map((answer) => ({ kind: 'answer', answer }));
  }
  throw new Error(`a ${adapter.kind} pack cannot ${work.kind}`);
};

const runBatch = async (
  { adapter, run }: Loaded,
  batch: PhotoBatch,
  work: SessionWork,
  count: number,
  faults: SessionRun['faults'],
): Promise<readonly SampleResult[]> => {
  for (const fault of faults) actOut(fault);
  return (await runWork(adapter, batch, work, run)).slice(0, count);
};

const pictures = ({ adapter }: Loaded, views: SessionRun['views'], from: number, size: number): PhotoBatch => ({
  size,
  views: Object.fromEntries(
    adapter.views.map(({ id, width, height }) => {
      const bytes = width * height * 3;
      return [id, new Uint8Array(views[id]!, from * bytes, size * bytes)];
    }),
  ),
});

/** What no photo is to blame for. */
const wholeBatch: ReadonlySet<string> = new Set(['out_of_memory', 'device_lost']);

const oneOf = (work: SessionWork, at: number): SessionWork => {
  if (work.kind === 'judge') return { ...work, pairs: work.pairs.slice(at, at + 1) };
  if (work.kind === 'ask') return { ...work, questions: work.questions.slice(at, at + 1) };
  return work;
};

/** Only the photo that is to blame fails. */
const runOneByOne = async (
  loaded: Loaded,
  { size, views, work, faults }: SessionRun,
): Promise<readonly SampleResult[]> => {
  const results: SampleResult[] = [];
  for (let i = 0; i < size; i += 1) {
    const run = runBatch(loaded, pictures(loaded, views, i, 1), oneOf(work, i), 1, faults.slice(i, i + 1));
    results.push(...(await run.catch((reason) => [failedResult(loaded, reason)])));
  }
  return results;
};

type Ran = Readonly<{ results: readonly SampleResult[]; precision: Precision }>;

/** A batch whose output is not finite is run again in fp32, one that fails otherwise photo by photo. */
const runSafely = async (loaded: Loaded, request: SessionRun): Promise<Ran> => {
  const { size, padded, views, work, faults } = request;
  const { precision } = loaded;
  const whole = pictures(loaded, views, 0, padded);
  try {
    return { results: await runBatch(loaded, whole, work, size, faults), precision };
  } catch (error) {
    if (error instanceof NotFinite && loaded.inFp32) {
      const inFp32 = { ...loaded, run: await loaded.inFp32(), precision: 'fp32' as const, inFp32: null };
      return runSafely(inFp32, { ...request, faults: [] });
    }
    const failed = failedResult(loaded, error);
    if (size === 1 || (failed.kind === 'failed' && wholeBatch.has(failed.code))) {
      return { results: new Array<SampleResult>(size).fill(failed), precision };
    }
    return { results: await runOneByOne(loaded, request), precision };
  }
};

if (!parentPort) throw new Error('the session worker must be started by the inference host');
const port = parentPort;
const reply = (message: SessionReply, handedOver: ArrayBuffer[] = []): void => port.postMessage(message, handedOver);

let loaded: Loaded | undefined;
let finishedAt = performance.now();

const open = async (request: SessionLoad | SessionJoin): Promise<SessionReply> => {
  try {
    if (request.kind === 'join') {
      loaded = await openJoining(request);
      return { kind: 'joined' };
    }
    const { info, input, ...opened } = await openFirst(request);
    loaded = opened;
    return { kind: 'loaded', info, input, msPerSample: info.device.proof.probeMs };
  } catch (error) {
    return {
      kind: 'load_failed',
      code: error instanceof LoadError ? error.code : 'pack_broken',
      detail: messageOf(error),
    };
  } finally {
    finishedAt = performance.now();
  }
};

port.on('message', async (request: SessionRequest) => {
  if (request.kind !== 'run') return reply(await open(request));
  if (!loaded) throw new Error('run before load');
  const startedAt = performance.now();
  const idleMs = startedAt - finishedAt;
  const { results, precision } = await runSafely(loaded, request);
  finishedAt = performance.now();
  const { views } = request;
  reply({ kind: 'ran', results, precision, runMs: finishedAt - startedAt, idleMs, views }, Object.values(views));
});
