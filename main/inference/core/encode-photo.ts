/**
 * One photo's way through the engine: it is let in, prepared by an image host, judged by the inference host, and tried
 * again when a host goes, until there is an outcome.
 */
import type { DecodedInfo, FileIdentity, PrescreenThresholds } from '../../contract/photo.ts';
import { createIsolation, HostLost } from '../../hosts/isolation.ts';
import type { RunningHost } from '../../hosts/supervisor.ts';
import type { ImagePool } from '../../images/core/pool.ts';
import type { Delivery } from '../../images/protocol.ts';
import type { InferenceRequest } from '../protocol.ts';
import type { Tally } from './engine-tally.ts';
import type { EncodeResult, EngineEvent } from './engine-types.ts';
import type { InferenceLine, JobReply } from './inference-line.ts';
import type { EngineLadder } from './ladder-actions.ts';
import type { Overdue } from './late-results.ts';
import { inferenceFailed, notDone, outcomeOf, quarantine } from './outcomes.ts';

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
  inference: InferenceLine;
  ladder: EngineLadder;
  tally: Tally;
  overdue: Overdue;
  bulkMs: () => number;
  tell: (event: EngineEvent) => void;
}>;

/** A broken line usually means that the host is going; its end tells why. */
const linkGraceMs = 2000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Never rejects for what stands for an outcome. The first try uses the job that identified the photo, each other a new one. */
export const openPhotoWay = ({
  images,
  inference,
  ladder,
  tally,
  overdue,
  bulkMs,
  tell,
}: PhotoPorts): ((asked: Asked, job: number) => Promise<EncodeResult>) => {
  const isolation = createIsolation();

  const madeBy = () => {
    const { device, precision, inputSize } = inference.info()!;
    return { device: device.used, precision, inputSize, degraded: ladder.degraded() };
  };

  const finishWith =
    ({ identity, startedAt, delivery }: Asked, info: DecodedInfo, generation: number) =>
    (reply: JobReply): EncodeResult => {
      if (reply.kind === 'failed') {
        if (reply.code === 'out_of_memory' || reply.code === 'device_lost') throw ladder.lost(generation, reply.code);
        if (reply.code === 'timed_out') ladder.walk.note({ kind: 'timed_out' });
        if (reply.code === 'run_failed' || reply.code === 'not_finite') {
          return inferenceFailed(`${reply.code}: ${reply.detail}`);
        }
        return notDone(reply.code, reply.detail);
      }
      if (!reply.late) ladder.walk.note({ kind: 'in_time' });
      const { queueMs, runMs, batch: size } = reply.timing;
      const totalMs = Date.now() - startedAt;
      const { read, decode, prescreen, views } = info.timingMs;
      const worked = read + decode + prescreen + views + runMs;
      tally.add({ batch: size, runMs, latencyMs: delivery.priority === 'interactive' ? totalMs : worked });
      return {
        ok: true,
        identity,
        info,
        flat: false,
        evidence: reply.kind === 'encoded' ? reply.evidence : null,
        judgements: reply.kind === 'judged' ? reply.judgements : null,
        answer: reply.kind === 'answered' ? reply.answer : null,
        ...madeBy(),
        precision: reply.precision,
        timing: { queueMs, runMs, batch: size, totalMs },
      };
    };

  /** One try: throws `HostLost` when the inference host goes while the photo is in it. */
  const tryOnce = async (asked: Asked, job: number): Promise<EncodeResult> => {
    const { delivery, signal } = asked;
    let leave: () => void = () => undefined;
    try {
      leave = await ladder.admission.enter({ priority: delivery.priority, ...(signal && { signal }) });
      // It waited out a pause. Had it gone on, it would have missed its limit and made the next pause longer.
      if (delivery.deadlineAt !== null && delivery.deadlineAt <= Date.now())
        return notDone('timed_out', 'while waiting');
      const host = await inference.up();
      signal?.throwIfAborted();
      return await tryOn(host, asked, job);
    } finally {
      images.release(job);
      leave();
    }
  };

  const tryOn = async (host: RunningHost<InferenceRequest>, asked: Asked, job: number): Promise<EncodeResult> => {
    const { path, identity, delivery, prescreen, signal } = asked;
    const { views } = inference.info()!.adapter;
    const target = { views, address: inference.address(), prescreen };
    const awaited = inference.expect(job);
    const cancel = () => inference.cancel(job);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const prepared = await Promise.race([images.prepare(job, target, delivery), awaited.lost]);
      if (!prepared.ok) {
        if (prepared.reason.code !== 'inference_failed' || !prepared.retryable) return quarantine(prepared);
        await Promise.race([pause(linkGraceMs), awaited.lost]);
        throw new HostLost('recycled');
      }
      const { info } = prepared;
      if (!prepared.sent) {
        if (!info.prescreen?.flat) throw new HostLost('recycled');
        const timing = { queueMs: 0, runMs: 0, batch: 0, totalMs: Date.now() - asked.startedAt };
        const nothing = { evidence: null, judgements: null, answer: null };
        return { ok: true, identity, info, flat: true, ...nothing, ...madeBy(), timing };
      }
      awaited.sent();
      const finish = finishWith(asked, info, host.generation);
      const reply = await awaited.reply;
      const result = finish(reply);
      if (reply.kind !== 'failed' || reply.code !== 'timed_out' || overdue.full()) return result;
      awaited.forget();
      // A retry is late anyway: it takes as long as it takes, so that a photo that hangs its host is found out.
      if (delivery.priority === 'retry') return finish(await overdue.arrival(job));
      const late = overdue.arrival(job).then(
        (arrived) => {
          const encoded = arrived.kind === 'failed' ? null : finish(arrived);
          if (!encoded?.ok) return null;
          tell({ kind: 'late', path, result: encoded });
          return encoded;
        },
        () => null,
      );
      const putOff = { identity, info, limitMs: reply.limitMs ?? bulkMs(), late };
      return { ...notDone('timed_out', reply.detail), putOff };
    } finally {
      awaited.forget();
      signal?.removeEventListener('abort', cancel);
    }
  };

  const encodeOpened = async (asked: Asked, firstJob: number): Promise<EncodeResult> => {
    let job: number | undefined = firstJob;
    try {
      return await isolation.run(async () => {
        asked.signal?.throwIfAborted();
        if (job === undefined) {
          job = images.newJob();
          const again = await images.identify(job, asked.path, asked.delivery.priority);
          if (!again.ok) return quarantine(again);
          if (again.identity.fileHash !== asked.identity.fileHash) {
            images.release(job);
            return quarantine({ reason: { code: 'still_changing', params: {} }, retryable: true });
          }
        }
        const current = job;
        job = undefined;
        return tryOnce(asked, current);
      });
    } catch (error) {
      return outcomeOf(error, asked.signal);
    } finally {
      if (job !== undefined) images.release(job);
    }
  };

  return encodeOpened;
};
