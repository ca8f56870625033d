/** Is everything there that judging needs? Each check says what was found and, where something is wrong, what to do. */
import { access, constants, readFile, statfs } from 'node:fs/promises';
import type { HealthCheck, HealthFinding, HealthFix } from '../contract/health.ts';
import { errorOf, failedWith } from '../failure.ts';
import type { Judging, JudgingOptions } from '../judging/judging.ts';
import { verifyPack } from '../packs/packs.ts';
import type { Core } from './core.ts';

const leastFreeBytes = 1e9;
/** Below this a library of ordinary size cannot be watched. */
const leastWatches = 65_536;

type Finding<C extends HealthFinding['code']> = Extract<HealthFinding, { code: C }>['params'];
type Name = HealthCheck['name'];

const good = <C extends HealthFinding['code']>(name: Name, code: C, params: Finding<C>): HealthCheck => ({
  name,
  ok: true,
  detail: { code, params } as HealthFinding,
  fix: null,
});
const bad = (name: Name, detail: HealthFinding, fix: HealthFix): HealthCheck => ({ name, ok: false, detail, fix });
const fixBy = (code: Exclude<HealthFix['code'], 'choose_pack'>): HealthFix => ({ code, params: {} });
const failed = (thrown: unknown): HealthFinding => ({ code: 'failed', params: { error: errorOf(thrown) } });

export const checkHealth = async (core: Core, options: JudgingOptions): Promise<readonly HealthCheck[]> => [
  good('runtime', 'runtime', {
    version: process.versions.node,
    platform: process.platform,
    arch: process.arch,
  }),
  await checkHome(core),
  await checkDisk(core),
  await checkDatabase(core),
  ...(await checkModel(core, options)),
  await checkWatches(),
];

const checkHome = async ({ home }: Core): Promise<HealthCheck> => {
  try {
    await access(home.root, constants.W_OK);
    return good('home', 'home', { path: home.root });
  } catch {
    return bad('home', { code: 'home_unwritable', params: { path: home.root } }, fixBy('choose_home'));
  }
};

const checkDisk = async ({ home }: Core): Promise<HealthCheck> => {
  const { bavail, bsize } = await statfs(home.root);
  const free = { freeBytes: bavail * bsize };
  return free.freeBytes >= leastFreeBytes
    ? good('disk', 'disk', free)
    : bad('disk', { code: 'disk', params: free }, fixBy('free_space'));
};

const checkDatabase = async (core: Core): Promise<HealthCheck> => {
  try {
    const store = await core.openStore('read');
    try {
      const { ok, problems } = await store.upkeep.check();
      const { photos, pairs, schema } = await store.upkeep.figures();
      return ok
        ? good('database', 'database', { photos, pairs, schema })
        : bad('database', { code: 'database_damaged', params: { problems } }, fixBy('restore_backup'));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (failedWith(error, 'store_missing')) return good('database', 'database_none', {});
    return bad('database', failed(error), fixBy('close_or_restore'));
  }
};

const checkModel = async (core: Core, options: JudgingOptions): Promise<readonly HealthCheck[]> => {
  let judging: Judging;
  try {
    judging = await core.openJudging(options);
  } catch (error) {
    const known = core.packs().map(({ manifest }) => manifest.id);
    return [bad('model', failed(error), { code: 'choose_pack', params: { known, folder: core.home.packs } })];
  }
  try {
    const { manifest, sha256 } = judging.pack;
    const files = await verifyPack(judging.pack);
    const model =
      files.length === 0
        ? good('model', 'pack', { id: manifest.id, version: manifest.version, sha256: sha256.slice(0, 12) })
        : bad('model', { code: 'pack_changed', params: { files } }, fixBy('replace_pack'));
    return [model, await checkDevice(judging)];
  } finally {
    await judging.close();
  }
};

const checkDevice = async (judging: Judging): Promise<HealthCheck> => {
  try {
    const { device, precision, precisionReason, runtime } = (await judging.engine()).info();
    const { nodesOnDevice, nodesInAll, probeMs, agreesWithCpu } = device.proof;
    const params: Finding<'device'> = {
      requested: device.requested,
      used: device.used,
      index: device.index,
      ...{ nodesOnDevice, nodesInAll, probeMs, agreesWithCpu, precision, runtime },
      precisionReason: precisionReason.code,
      passedOver: device.passedOver.map(({ device: name, reason }) => ({ device: name, reason })),
      fallbackReason: device.fallbackReason,
    };
    return device.fallbackReason === null
      ? good('device', 'device', params)
      : bad('device', { code: 'device', params }, fixBy('mend_device'));
  } catch (error) {
    return bad('device', failed(error), fixBy(failedWith(error, 'runtime_missing') ? 'reinstall' : 'try_cpu'));
  }
};

const checkWatches = async (): Promise<HealthCheck> => {
  if (process.platform !== 'linux') return good('watching', 'watches_unlimited', {});
  const limit = Number(await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => Number.NaN));
  if (Number.isNaN(limit)) return good('watching', 'watches_unknown', {});
  return limit >= leastWatches
    ? good('watching', 'watches', { limit })
    : bad('watching', { code: 'watches_few', params: { limit } }, fixBy('raise_watches'));
};
