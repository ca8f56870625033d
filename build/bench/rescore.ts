/** New statements on cached photos: how soon the counts are known, and how soon the verdicts are stored. */
import { createHash } from 'node:crypto';
import type { Core } from '../../main/app/core.ts';
import { preprocessVersion } from '../../main/images/preprocess-version.ts';
import type { Judging } from '../../main/judging/judging.ts';
import { policyVersion } from '../../main/policy/policy.ts';
import type { JudgedBy, JudgedFile, Store } from '../../main/store/types.ts';
import { allHeld } from '../../main/verdicts/rescore.ts';
import { type Bench, median } from './bench.ts';
import { makePhotos } from './photos.ts';
import { withCore, withJudging } from './vouch.ts';

const rounds = 3;
/** Evidence of this many photos is real; the store gets it again under other hashes. */
const distinct = 64;
const nouns = 'dog cat vehicle person animal bird bottle chair ship fruit tree camera fish insect ball hat'.split(' ');

type Times = Readonly<{ visible: number; stored: number }>;

const measure = (photos: number, statements: number, say: (line: string) => void): Promise<Times> =>
  withCore((core) =>
    withJudging(core, async (judging) => {
      const store = await core.openStore('write');
      await fill(store, judging, photos);
      const times: Times[] = [];
      for (let round = 0; round < rounds; round++)
        times.push(await addStatements(core, store, judging, statements, round));
      await store.close();
      const result = { visible: median(times.map((t) => t.visible)), stored: median(times.map((t) => t.stored)) };
      say(
        `${photos} photos x ${statements}: counts ${result.visible.toFixed(0)} ms, stored ${result.stored.toFixed(0)} ms`,
      );
      return result;
    }),
  );

const recordOf = ({ pack, rescorer }: Judging): JudgedBy => ({
  run: null,
  packId: pack.manifest.id,
  packVersion: pack.manifest.version,
  packSha256: pack.sha256,
  adapterVersion: rescorer.pack.adapterVersion,
  precision: 'fp32',
  device: 'cpu',
  degraded: false,
  policy: { version: policyVersion, revision: 0 },
  at: Date.now(),
});

const fill = async (store: Store, judging: Judging, count: number): Promise<void> => {
  const engine = await judging.engine();
  const source = await makePhotos(distinct, 500, 375);
  const encoded = await Promise.all(source.paths.map((path) => engine.encode(path)));
  source.remove();
  const chunk = 5000;
  for (let from = 0; from < count; from += chunk) {
    const files = Array.from({ length: Math.min(chunk, count - from) }, (_, i): JudgedFile => {
      const photo = encoded[i % distinct]!;
      if (!photo.ok || !photo.evidence) throw new Error('a photo to measure with could not be judged');
      const hash = createHash('sha256')
        .update(`${from + i}`)
        .digest('hex');
      return {
        path: `/bench/${from + i}.jpg`,
        identity: { ...photo.identity, fileHash: hash, imageHash: hash },
        info: photo.info,
        evidence: { inputSize: photo.inputSize, preprocessVersion, blob: photo.evidence },
        verdicts: [],
      };
    });
    await store.photos.recordJudged(recordOf(judging), files);
  }
};

const addStatements = async (
  core: Core,
  store: Store,
  judging: Judging,
  count: number,
  round: number,
): Promise<Times> => {
  const { pack, rescorer, inputSize } = judging;
  const texts = Array.from({ length: count }, (_, i) => ({
    text: `a ${nouns[(round * count + i) % nouns.length]} ${round}`,
  }));
  const startedAt = performance.now();
  const records = await store.statements.addTo('bench', texts, pack.manifest.id);
  return rescorer.withStatements(records, async (results) => {
    const held = allHeld(results);
    const { counted, stored } = rescorer.rescore(
      {
        home: core.home.root,
        wanted: {
          evidence: { packSha256: pack.sha256, precision: null, inputSize, preprocessVersion },
          verdicts: {
            packId: pack.manifest.id,
            packSha256: pack.sha256,
            adapterVersion: rescorer.pack.adapterVersion,
            statements: held.map(({ key, hypothesisHash }) => ({ statement: key, hypothesisHash })),
          },
          recheck: { kind: 'none' },
          photos: null,
        },
        statements: held.map(({ handle }) => handle),
        otherwise: { precision: 'fp32', device: 'cpu' },
      },
      { store: ({ verdicts }) => store.verdicts.append(recordOf(judging), verdicts) },
    );
    await counted;
    const visible = performance.now() - startedAt;
    await stored;
    return { visible, stored: performance.now() - startedAt };
  });
};

export const rescore: Bench = async (say) => {
  const many = await measure(10_000, 10, say);
  const large = await measure(100_000, 1, say);
  return {
    ms: {
      visible10kx10: many.visible,
      visible100kx1: large.visible,
      stored10kx10: many.stored,
      stored100kx1: large.stored,
    },
  };
};
