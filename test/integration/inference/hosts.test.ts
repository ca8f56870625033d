/** What settings say of the hosts themselves, read back from the system: their priority and their threads. */
import { constants, getPriority } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { defaultSettings } from '../../../main/contract/settings.ts';
import { type Rig, startRig, writePhotos } from './rig.ts';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const prioritiesOf = ({ engine }: Rig): readonly number[] =>
  engine.stats().hosts.map(({ pid }) => getPriority(pid ?? Number.NaN));

it.each([
  ['normal', constants.priority.PRIORITY_NORMAL],
  ['below_normal', constants.priority.PRIORITY_BELOW_NORMAL],
  ['low', constants.priority.PRIORITY_LOW],
] as const)('%s priority is what every host really has', async (priority, niceness) => {
  rig = await startRig({ priority, imageHosts: 2 });
  const [photo] = await writePhotos(rig.dir, 1);
  expect(await rig.engine.encode(photo!)).toMatchObject({ ok: true });
  // Tests may themselves run with less than usual, and hosts never take more than whoever started them.
  const expected = Math.max(niceness, getPriority());
  expect(prioritiesOf(rig)).toEqual([expected, expected, expected]);
});

it.each([1, 3])('%i threads run so many batches side by side, and no more', async (threads) => {
  rig = await startRig({
    threads,
    batch: { mode: 'fixed', size: 1 },
    ladder: { ...defaultSettings.ladder, bulkMs: 60_000 },
    faults: [{ host: 'inference', what: 'slow', match: 'slow', ms: 1500 }],
  });
  const { engine, events } = rig;
  expect(engine.info()).toMatchObject({ threads, lanes: threads });
  const photos = await writePhotos(rig.dir, 5);
  const most = () => Math.max(0, ...events.map((event) => (event.kind === 'heartbeat' ? event.heartbeat.running : 0)));
  // The first session judges while the others still open.
  for (let round = 0; round < 10 && most() < threads; round += 1) {
    const results = await Promise.all(photos.map((path) => engine.encode(path, { client: 'slow' })));
    expect(results.map(({ ok }) => ok)).toEqual(photos.map(() => true));
  }
  expect(most()).toBe(threads);
});
