/** Is everything there that judging needs? Each check says what was found and, where something is wrong, what to do. */
import { access, constants, readFile, statfs } from 'node:fs/promises';
import type { PrecisionReason } from '../contract/precision.ts';
import { errorOf } from '../failure.ts';
import type { Judging, JudgingOptions } from '../judging/judging.ts';
import { verifyPack } from '../packs/packs.ts';
import { StoreFailure } from '../store/errors.ts';
import type { Core } from './core.ts';

/** `fix` is null where nothing is wrong. */
export type HealthCheck = Readonly<{ name: string; ok: boolean; detail: string; fix: string | null }>;

const leastFreeBytes = 1e9;
/** Below this a library of ordinary size cannot be watched. */
const leastWatches = 65_536;

const good = (name: string, detail: string): HealthCheck => ({ name, ok: true, detail, fix: null });
const bad = (name: string, detail: string, fix: string): HealthCheck => ({ name, ok: false, detail, fix });

/** `explain` words an error for a person. */
export const checkHealth = async (
  core: Core,
  options: JudgingOptions,
  explain: (thrown: unknown) => string,
): Promise<readonly HealthCheck[]> => [
  good('runtime', `Node ${process.versions.node} on ${process.platform}-${process.arch}`),
  await checkHome(core),
  await checkDisk(core),
  await checkDatabase(core, explain),
  ...(await checkModel(core, options, explain)),
  await checkWatches(),
];

const checkHome = async ({ home }: Core): Promise<HealthCheck> => {
  try {
    await access(home.root, constants.W_OK);
    return good('home', home.root);
  } catch {
    return bad('home', `${home.root} cannot be written to`, 'Choose another folder with --home or VOUCH_HOME.');
  }
};

const checkDisk = async ({ home }: Core): Promise<HealthCheck> => {
  const { bavail, bsize } = await statfs(home.root);
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free`;
  return free >= leastFreeBytes
    ? good('disk', detail)
    : bad('disk', detail, 'Free some space: evidence and previews need about 1 GB for 100,000 photos.');
};

const checkDatabase = async (core: Core, explain: (thrown: unknown) => string): Promise<HealthCheck> => {
  try {
    const store = await core.openStore('read');
    try {
      const { ok, problems } = await store.upkeep.check();
      const { photos, pairs, schema } = await store.upkeep.figures();
      return ok
        ? good('database', `${photos} photos, ${pairs} verdicts, schema ${schema}`)
        : bad('database', problems.join('; '), 'Restore the last backup: vouch restore FILE (see the folder backups).');
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreFailure && error.error.code === 'store_missing') {
      return good('database', 'none yet: the first scan makes it');
    }
    return bad('database', explain(error), 'Close whatever else uses it, or restore a backup: vouch restore FILE.');
  }
};

const checkModel = async (
  core: Core,
  options: JudgingOptions,
  explain: (thrown: unknown) => string,
): Promise<readonly HealthCheck[]> => {
  let judging: Judging;
  try {
    judging = await core.openJudging(options);
  } catch (error) {
    return [bad('model', explain(error), 'See the packs with: vouch models list')];
  }
  try {
    const { manifest, sha256 } = judging.pack;
    const problems = await verifyPack(judging.pack);
    const model =
      problems.length === 0
        ? good('model', `${manifest.id} ${manifest.version}, every file as pinned (${sha256.slice(0, 12)})`)
        : bad(
            'model',
            problems.map(({ file, problem }) => `${file} is ${problem}`).join(', '),
            'Get the pack again: its files are not those it was published with.',
          );
    return [model, await checkDevice(judging, explain)];
  } finally {
    await judging.close();
  }
};

const precisionWords: Readonly<Record<PrecisionReason['code'], string>> = {
  asked: 'as asked',
  not_measured: 'not measured here yet: vouch bench does',
  measured: 'the fastest that agrees, as measured here',
};

const checkDevice = async (judging: Judging, explain: (thrown: unknown) => string): Promise<HealthCheck> => {
  try {
    const { device, precision, precisionReason, runtime } = (await judging.engine()).info();
    const { nodesOnDevice, nodesInAll, probeMs, agreesWithCpu } = device.proof;
    const used = device.index > 0 ? `${device.used}:${device.index}` : device.used;
    const proof =
      `asked for ${device.requested}, used ${used}, which proved itself: ` +
      `${nodesOnDevice} of ${nodesInAll} nodes on it, probe batch ${Math.round(probeMs)} ms` +
      `${agreesWithCpu ? ', agrees with CPU' : ', does not agree with CPU'} (${precision}, ${precisionWords[precisionReason.code]}, ${runtime})`;
    const others = device.passedOver.map((other) => `; ${other.device}: ${other.reason}`).join('');
    return device.fallbackReason === null
      ? good('device', `${proof}${others}`)
      : bad('device', `${proof}; ${device.fallbackReason}`, 'Choose --device auto, or mend the reason named.');
  } catch (error) {
    return bad(
      'device',
      explain(error),
      errorOf(error).code === 'runtime_missing' ? 'Run npm ci again.' : 'Try --device cpu.',
    );
  }
};

const checkWatches = async (): Promise<HealthCheck> => {
  if (process.platform !== 'linux') return good('watching', 'no limit to raise on this system');
  const limit = Number(await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => Number.NaN));
  if (Number.isNaN(limit))
    return good('watching', 'the limit cannot be read here; polling is used where it is reached');
  return limit >= leastWatches
    ? good('watching', `${limit} folders can be watched`)
    : bad(
        'watching',
        `only ${limit} folders can be watched`,
        'Raise it: sudo sysctl fs.inotify.max_user_watches=524288',
      );
};
