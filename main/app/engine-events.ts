/** What the engine tells of itself, as events of the telemetry. */
import type { EngineEvent } from '../inference/core/engine-types.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

const loadedAs = ({ device, precision, inputSize }: LoadedInfo) => ({ device: device.used, precision, inputSize });

export const emitStarted = ({ emit }: Telemetry, model: string, info: LoadedInfo): void => {
  const { device, precisionReason, runtime, graphs, threads, lanes, adapter } = info;
  emit('engine_started', {
    model,
    ...loadedAs(info),
    deviceIndex: device.index,
    requested: device.requested,
    fallbackReason: device.fallbackReason,
    passedOver: device.passedOver,
    proof: device.proof,
    precisionReason: precisionReason.code,
    ...{ runtime, graphs, threads, lanes },
    adapter: { kind: adapter.kind, version: adapter.version },
  });
};

type Emit = Telemetry['emit'];
type Tellers = { readonly [K in EngineEvent['kind']]: (event: Extract<EngineEvent, { kind: K }>, emit: Emit) => void };

const tellers: Tellers = {
  inference_up: ({ info, restarts, downMs }, emit) => {
    // `engine_started` tells of the first one.
    if (restarts > 0) emit('host_restart', { host: 'inference', restarts, downMs, ...loadedAs(info) });
  },
  host_down: ({ host, how, stderr }, emit) => emit('host_down', { host, how, stderr }),
  over_memory: ({ host, rssBytes }, emit) => emit('over_memory', { host, rssBytes }),
  out_of_memory: ({ ceiling }, emit) => emit('out_of_memory', { ceiling }),
  not_finite: ({ photos }, emit) => emit('not_finite', { photos }),
  degradation: ({ step, rung, code, cause, since, why, lastedMs }, emit) => {
    const place = { rung, code, cause, since, why };
    if (step === 'entered') emit('degrade', place);
    else emit('recover', { ...place, lastedMs: lastedMs ?? 0 });
  },
  heartbeat: ({ heartbeat }, emit) => {
    const { queued, running, batch, rssBytes, totals } = heartbeat;
    emit('heartbeat', { queued, running, batch, rssBytes, ...totals });
  },
  late: ({ result: { device, precision, inputSize, timing } }, emit) =>
    emit('late_result', { device, precision, inputSize, ...timing }),
};

export const emitEngineEvent = ({ emit }: Telemetry, event: EngineEvent): void => {
  const tell = tellers[event.kind] as (event: EngineEvent, emit: Emit) => void;
  tell(event, emit);
};
