/**
 * A home with as many verdicts as a large library has: photos in folders, two statement sets, confidences that cluster
 * at the ends, and a person's decisions and flags on some. The same for the same size, but for ids.
 */
import { createHash } from 'node:crypto';
import { policyVersion } from '../../main/policy/policy.ts';
import type {
  JudgedBy,
  JudgedFile,
  NewEvidence,
  PackedVerdicts,
  StatementRecord,
  Store,
} from '../../main/store/types.ts';

export type StoreDataSize = Readonly<{
  photos: number;
  statements: number;
  /** What a pack saw in a few photos, which all others share; none is stored without it. */
  seen?: Readonly<{ packSha256: string; evidence: readonly NewEvidence[] }>;
}>;
export type StoreData = Readonly<{
  /** Folders of a thousand photos. */
  folders: readonly string[];
  root: string;
  statements: readonly StatementRecord[];
  verdicts: number;
}>;

const root = '/bench/photos';
const perFolder = 1000;
const chunk = 5000;
const packId = 'concept-en';
/** 2026-01-01. */
const startedAt = 1_767_225_600_000;
const sha = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A number in [0, 1) that belongs to a photo and a statement (mulberry32). */
const noise = (a: number, b: number): number => {
  let t = (Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)) >>> 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const judging = (at: number, packSha256 = sha('bench pack').toString('hex')): JudgedBy => ({
  run: null,
  packId,
  packVersion: '1.0.0',
  packSha256,
  adapterVersion: '1',
  precision: 'fp32',
  device: 'cpu',
  degraded: false,
  policy: { version: policyVersion, revision: 0 },
  at,
});

export const folderOf = (photo: number): string =>
  `${root}/${String(2000 + (Math.floor(photo / perFolder) % 27))}/${String(Math.floor(photo / perFolder)).padStart(4, '0')}`;

const photo = (i: number, seen: StoreDataSize['seen']): JudgedFile => {
  const hash = sha(`photo ${i}`).toString('hex');
  const flags = { blurred: i % 40 === 7, flat: false, small: false };
  return {
    path: `${folderOf(i)}/IMG_${String(i).padStart(6, '0')}.jpg`,
    identity: {
      bytes: 2_000_000 + i,
      mtimeMs: startedAt + i,
      inode: String(i),
      fileHash: hash,
      imageHash: hash,
      format: 'jpeg',
    },
    info: {
      width: i % 3 === 0 ? 3000 : 4000,
      height: i % 3 === 0 ? 4000 : 3000,
      damaged: i % 100 === 13,
      frames: 1,
      takenAt: `2025:${String(1 + (i % 12)).padStart(2, '0')}:${String(1 + (i % 28)).padStart(2, '0')} 12:00:00`,
      camera: `Camera ${i % 7}`,
      hasGps: i % 4 === 0,
      prescreen: { sharpness: 100 + (i % 400), deviation: 20 + (i % 60), ...flags, ms: 2 },
      perceptualHash: hash,
      timingMs: { read: 1, decode: 10, prescreen: 2, views: 3 },
    },
    evidence: seen?.evidence[i % seen.evidence.length] ?? null,
    verdicts: [],
  };
};

const reasons = [
  ['seen', JSON.stringify({ concept: 'dog', evidence: [{ name: 'Labrador retriever', score: 0.91 }] })],
  ['not_seen', JSON.stringify({ concept: 'dog', evidence: [{ name: 'tabby cat', score: 0.72 }] })],
  ['unsure', JSON.stringify({ concept: 'dog', evidence: [{ name: 'coyote', score: 0.41 }] })],
] as const;

/** Half of all verdicts are all but certain, the others spread evenly. */
const confidenceOf = (u: number): number => (u < 0.5 ? 0.93 + u * 0.13 : 0.34 + (u - 0.5) * 1.2);

const packed = ({ key, text }: StatementRecord, photos: Uint32Array): PackedVerdicts => {
  const size = photos.length;
  const floats = () => new Float64Array(size);
  const codes = () => new Uint8Array(size);
  const [pYes, pNo, pMaybe, confidence] = [floats(), floats(), floats(), floats()];
  const [lean, label, grade, wantsReview, near] = [codes(), codes(), codes(), codes(), codes()];
  const reasonCode: string[] = [];
  const reasonParams: string[] = [];
  photos.forEach((photoKey, i) => {
    const sure = confidenceOf(noise(photoKey, key));
    const side = noise(photoKey, key + 7919) < 0.2 ? 0 : 1;
    const decided = sure >= 0.75;
    (side === 0 ? pYes : pNo)[i] = sure;
    (side === 0 ? pNo : pYes)[i] = (1 - sure) / 2;
    pMaybe[i] = (1 - sure) / 2;
    confidence[i] = sure;
    lean[i] = side;
    label[i] = decided ? side : 2;
    grade[i] = sure >= 0.92 ? 0 : decided ? 1 : 2;
    wantsReview[i] = Number(sure < 0.92);
    near[i] = Number(Math.abs(sure - 0.75) < 0.1);
    const [code, params] = reasons[decided ? side : 2]!;
    reasonCode.push(code);
    reasonParams.push(params);
  });
  return {
    ...{ statement: key, hypothesisHash: sha(text).toString('hex'), photos, pYes, pNo, pMaybe, confidence },
    ...{ lean, label, grade, wantsReview, near, reasonCode, reasonParams, caps: Array<null>(size).fill(null) },
  };
};

/** Fills an empty store, then has a person decide one pair in a thousand and flag as many. */
export const fillStore = async (store: Store, { photos, statements, seen }: StoreDataSize): Promise<StoreData> => {
  const texts = Array.from({ length: statements }, (_, i) => `subject ${i} is in the picture`);
  const sets = [texts.slice(0, statements >> 1), texts.slice(statements >> 1)];
  const records: StatementRecord[] = [];
  for (const [i, set] of sets.entries()) {
    const name = `set ${i + 1}`;
    const entries = set.map((text, j) => ({ text, ...(j === 0 && { tag: `subject-${i}` }) }));
    if (entries.length > 0)
      records.push(...(await store.statements.upsertSet({ name, statements: entries }, packId)).statements);
  }
  const folders = new Set<string>();
  for (let from = 0; from < photos; from += chunk) {
    const at = startedAt + from * 10;
    const files = Array.from({ length: Math.min(chunk, photos - from) }, (_, i) => photo(from + i, seen));
    for (let i = 0; i < files.length; i += perFolder) folders.add(folderOf(from + i));
    const recorded = await store.photos.recordJudged(judging(at, seen?.packSha256), files);
    const keys = Uint32Array.from(recorded, ({ key }) => key);
    for (const record of records) await store.verdicts.append(judging(at, seen?.packSha256), [packed(record, keys)]);
  }
  await decideSome(store, Math.max(1, Math.round((photos * statements) / 1000)));
  return { root, folders: [...folders], statements: records, verdicts: photos * records.length };
};

const decideSome = async (store: Store, count: number): Promise<void> => {
  let cursor: string | null = null;
  for (let made = 0; made < count; ) {
    const page = await store.queues.page({ queue: 'review', scope: {}, order: 'uncertain', cursor, limit: 500 });
    const items = page.items.slice(0, count - made);
    const third = Math.ceil(items.length / 3);
    const targets = items.map(({ verdictId }) => ({ verdict: verdictId }));
    const by = { reviewer: 'Ann', at: startedAt + made } as const;
    await store.reviews.add(targets.slice(0, third), { ...by, kind: 'confirm', tookMs: 1800 });
    await store.reviews.add(targets.slice(third, 2 * third), { ...by, kind: 'override', label: 'no', tookMs: 2400 });
    await store.flags.set(
      items.slice(2 * third).map(({ photoId, statementId }) => ({ photo: photoId, statementId })),
      'look again',
      'Ann',
      startedAt + made,
    );
    made += items.length;
    cursor = page.next;
    if (cursor === null) return;
  }
};
