/**
 * The blank-image control: what a pack answers on a grey image is what it would say without looking. A statement whose
 * answers on photos hardly differ from that does not depend on the photo. Measured once per pack; the grey image's
 * evidence is kept.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Judging } from '../judging/judging.ts';
import { noMarks } from '../policy/policy.ts';
import type { StatementCounts, StatementKey, Store } from '../store/types.ts';

const photosCompared = 200;
/** Fewer photos say nothing about how an answer varies. */
const leastPhotos = 20;
/** Mean absolute difference of p(yes) below which an answer counts as unchanged. */
const hardlyChanged = 0.05;
const greyLevel = 128;
const side = 256;

const nameOf = (packSha256: string): string => `blank ${packSha256}`;

/** A bottom-up 24-bit BMP of one grey. */
const greyBmp = (): Buffer => {
  const head = 54;
  const file = Buffer.alloc(head + side * side * 3, greyLevel);
  file.fill(0, 0, head);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(head, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(side, 18);
  file.writeInt32LE(side, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
};

/** However slow the machine; an engine that pauses is asked another time. */
const patienceMs = 60_000;

/** Has the model look at the grey image, without the prescreen that would keep it from the model. */
export const measureBlank = async (store: Store, { pack, engine, rescorer }: Judging): Promise<boolean> => {
  if (rescorer.pack.kind !== 'separable' || (await store.settings.get(nameOf(pack.sha256))) !== null) return false;
  const folder = mkdtempSync(join(tmpdir(), 'vouch-blank-'));
  const path = join(folder, 'grey.bmp');
  writeFileSync(path, greyBmp());
  try {
    const running = await engine();
    const asked = { priority: 'interactive', client: 'blank', deadlineAt: Date.now() + patienceMs } as const;
    const seen = await running.encode(path, { ...asked, prescreen: null });
    if (!seen.ok || !seen.evidence || seen.degraded) return false;
    await store.settings.set(nameOf(pack.sha256), { evidence: Buffer.from(seen.evidence).toString('base64') });
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const evidenceOf = async (store: Store, packSha256: string): Promise<Uint8Array | null> => {
  const found = (await store.settings.get(nameOf(packSha256))) as { evidence?: unknown } | null;
  return typeof found?.evidence === 'string' ? Buffer.from(found.evidence, 'base64') : null;
};

/** false: the answer on the blank image is nearly that on the photos. Statements that were not measured are missing. */
export const dependsOnPhoto = async (
  store: Store,
  { pack, rescorer }: Judging,
  statements: readonly StatementCounts[],
): Promise<ReadonlyMap<StatementKey, boolean>> => {
  const evidence = rescorer.pack.kind === 'separable' ? await evidenceOf(store, pack.sha256) : null;
  if (!evidence || statements.length === 0) return new Map();
  const asked = statements.map(({ statement, text }) => ({ key: statement, text }));
  const [rows = []] = await rescorer.withStatements(asked, (held) => {
    const handles = held.flatMap((result) => (result.ok ? [result.value.handle] : []));
    return rescorer.judge([{ seen: { kind: 'evidence', evidence }, marks: noMarks }], handles);
  });
  const measured = await Promise.all(
    rows.map(async ({ statement, p }): Promise<readonly [StatementKey, boolean] | null> => {
      const scores = p ? await store.quality.scores(statement, photosCompared) : [];
      if (!p || scores.length < leastPhotos) return null;
      const change = scores.reduce((sum, score) => sum + Math.abs(score - p.yes), 0) / scores.length;
      return [statement, change >= hardlyChanged];
    }),
  );
  return new Map(measured.filter((row) => row !== null));
};
