/**
 * One photo's way through the engine: it waits for a line, is prepared by an image host, judged by the line's inference
 * host, and tried again when a host goes, until there is an outcome.
 */
import { asksNothing } from '../../contract/operation.ts';
import type { DecodedInfo, FileIdentity, PrescreenThresholds } from '../../contract/photo.ts';
import { HostLost } from '../../hosts/isolation.ts';
import type { ImagePool } from '../../images/core/pool.ts';
import type { Delivery } from '../../images/protocol.ts';
import type { Latencies } from './engine-tally.ts';
import type { Encoded, EncodeResult, EngineEvent, NotDone } from './engine-types.ts';
import type { JobReply } from './inference-client.ts';
import type { InferenceLine } from './line.ts';
import { inferenceFailed, notDone, outcomeOf, quarantine } from './outcomes.ts';
import { photoMs } from './photo-ms.ts';
import type { Router } from './router.ts';

export type Asked = Readonly<{
  path: string;
  identity: FileIdentity;
  delivery: Delivery;
  prescreen: PrescreenThresholds | null;
  signal: AbortSignal | undefined;
  startedAt: number;
}>;

export type PhotoPorts = Readonly<{
  images: ImagePool;
  router: Router<InferenceLine>;
  latencies: Latencies;
  bulkMs: () => number;
  tell: (event: EngineEvent) => void;
}>;

/** A photo that a line's host was given: what is known of it, and in which process of the host it is. */
type OnLine = Readonly<{ asked: Asked; line: InferenceLine; info: DecodedInfo; generation: number }>;
type Reply<K extends JobReply['kind']> = Extract<JobReply, { kind: K }>;

/** A broken socket usually means that the host is going; its end tells why. */
const linkGraceMs = 2000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const madeBy = ({ client, ladder }: InferenceLine) => {
  const { device, precision, inputSize } = client.info()!;
  return { device: device.used, precision, inputSize, degraded: ladder()?.degraded() ?? false };
};

/** @throws HostLost where no photo is to blame. */
const failed = ({ line, generation }: OnLine, { code, detail }: Reply<'failed'>): EncodeResult => {
  const ladder = line.ladder();
  if (code === 'out_of_memory' || code === 'device_lost') {
    throw ladder?.lost(generation, code) ?? new HostLost('crashed');
  }
  if (code === 'timed_out') ladder?.walk.note({ kind: 'timed_out' });
  return code === 'run_failed' || code === 'not_finite' ? inferenceFailed(`${code}: ${detail}`) : notDone(code, detail);
};

const judged = (
  { latencies }: PhotoPorts,
  { asked, line, info }: OnLine,
  reply: Exclude<JobReply, Reply<'failed'>>,
): Encoded => {
  const { identity, startedAt, delivery } = asked;
  if (!reply.late) line.ladder()?.walk.note({ kind: 'in_time' });
  const { queueMs, runMs, shareMs, batch } = reply.timing;
  const totalMs = Date.now() - startedAt;
  latencies.add(photoMs(info, { runMs, totalMs }, delivery.priority));
  line.measured(shareMs);
  return {
    ok: true,
    identity,
    info,
    flat: false,
    evidence: reply.kind === 'encoded' ? reply.evidence : null,
    judgements: reply.kind === 'judged' ? reply.judgements : null,
    answer: reply.kind === 'answered' ? reply.answer : null,
    ...madeBy(line),
    precision: reply.precision,
    timing: { queueMs, runMs, batch, totalMs },
  };
};

const finish = (ports: PhotoPorts, photo: OnLine, reply: JobReply): EncodeResult =>
  reply.kind === 'failed' ? failed(photo, reply) : judged(ports, photo, reply);

/** Of a photo that no model need see: it is flat, or its operation asks nothing. */
const unseen = ({ identity, startedAt, delivery }: Asked, line: InferenceLine, info: DecodedInfo): Encoded => {
  const flat = info.prescreen?.flat ?? false;
  const timing = { queueMs: 0, runMs: 0, batch: 0, totalMs: Date.now() - startedAt };
  const judgements = !flat && asksNothing(delivery.operation) ? [] : null;
  return { ok: true, identity, info, flat, evidence: null, judgements, answer: null, ...madeBy(line), timing };
};

/** Its caller is answered now; the result that may still come is told when it does. */
const putOff = (ports: PhotoPorts, photo: OnLine, job: number, reply: Reply<'failed'>): NotDone => {
  const { asked, line, info } = photo;
  const late = line.late.arrival(job).then(
    (arrived) => {
      const result = arrived.kind === 'failed' ? null : judged(ports, photo, arrived);
      if (result) ports.tell({ kind: 'late', path: asked.path, result });
      return result;
    },
    () => null,
  );
  const { identity } = asked;
  return {
    ...notDone('timed_out', reply.detail),
    putOff: { identity, info, limitMs: reply.limitMs ?? ports.bulkMs(), late },
  };
};

/** Throws `HostLost` when the line's host goes while the photo is in it. */
const tryOn = async (ports: PhotoPorts, line: InferenceLine, asked: Asked, job: number): Promise<EncodeResult> => {
  const { delivery, prescreen, signal } = asked;
  const { client, late } = line;
  const host = client.ready();
  // It went while the photo was read again: whichever line is next may have it.
  if (!host) throw new HostLost('recycled');
  const target = { views: client.info()!.adapter.views, address: client.address(), prescreen };
  const awaited = client.expect(job);
  const cancel = () => client.cancel(job);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const prepared = await Promise.race([ports.images.prepare(job, target, delivery), awaited.lost]);
    if (!prepared.ok) {
      if (prepared.reason.code !== 'inference_failed' || !prepared.retryable) return quarantine(prepared);
      await Promise.race([pause(linkGraceMs), awaited.lost]);
      throw new HostLost('recycled');
    }
    const { info } = prepared;
    if (!prepared.sent) return unseen(asked, line, info);
    awaited.sent();
    const photo: OnLine = { asked, line, info, generation: host.generation };
    const reply = await awaited.reply;
    const result = finish(ports, photo, reply);
    if (reply.kind !== 'failed' || reply.code !== 'timed_out' || late.full()) return result;
    awaited.forget();
    // A retry is late anyway: it takes as long as it takes, so that a photo that hangs its host is found out.
    if (delivery.priority === 'retry') return finish(ports, photo, await late.arrival(job));
    return putOff(ports, photo, job, reply);
  } finally {
    awaited.forget();
    signal?.removeEventListener('abort', cancel);
  }
};

/** Reads a photo once more for another try; tells why there is none. */
const identifyAgain = async (
  { images }: PhotoPorts,
  { path, identity, delivery }: Asked,
  job: number,
): Promise<EncodeResult | null> => {
  const again = await images.identify(job, path, delivery.priority);
  if (!again.ok) return quarantine(again);
  if (again.identity.fileHash === identity.fileHash) return null;
  return quarantine({ reason: { code: 'still_changing', params: {} }, retryable: true });
};

/** Never rejects for what stands for an outcome. The first try uses the job that identified the photo, each other a new one. */
export const encodePhoto = async (ports: PhotoPorts, asked: Asked, firstJob: number): Promise<EncodeResult> => {
  const { images, router } = ports;
  const { delivery, signal } = asked;
  let job: number | null = firstJob;
  const once = async (line: InferenceLine): Promise<EncodeResult> => {
    // It waited out a pause. Had it gone on, it would have missed its limit and made the next pause longer.
    if (delivery.deadlineAt !== null && delivery.deadlineAt <= Date.now()) return notDone('timed_out', 'while waiting');
    signal?.throwIfAborted();
    const current = job ?? images.newJob();
    const again = job === null;
    job = null;
    try {
      const problem = again ? await identifyAgain(ports, asked, current) : null;
      return problem ?? (await tryOn(ports, line, asked, current));
    } finally {
      images.release(current);
    }
  };
  try {
    return await router.run({ priority: delivery.priority, signal }, once);
  } catch (error) {
    return outcomeOf(error, signal);
  } finally {
    if (job !== null) images.release(job);
  }
};
