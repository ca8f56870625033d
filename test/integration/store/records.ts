/** Records to put into a store. */
import { createHash } from 'node:crypto';
import type { Label } from '../../../main/contract/labels.ts';
import type { DecodedInfo, FileIdentity } from '../../../main/contract/photo.ts';
import { policyVersion } from '../../../main/policy/policy.ts';
import type { JudgedBy, JudgedFile, NewVerdict, StatementRecord, Want } from '../../../main/store/types.ts';

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

export const identityOf = (content: string, metadata = ''): FileIdentity => ({
  bytes: content.length + metadata.length,
  mtimeMs: 1_700_000_000_000.5,
  inode: sha(content + metadata).slice(0, 8),
  fileHash: sha(content + metadata),
  imageHash: sha(content),
  format: 'jpeg',
});

export const info = (changes: Partial<DecodedInfo> = {}): DecodedInfo => ({
  width: 640,
  height: 480,
  damaged: false,
  frames: 1,
  takenAt: '2024:05:01 10:00:00+02:00',
  camera: 'Test',
  hasGps: false,
  prescreen: { sharpness: 300, deviation: 40, blurred: false, flat: false, small: false, ms: 1 },
  perceptualHash: null,
  timingMs: { read: 1, decode: 1, prescreen: 1, views: 1 },
  ...changes,
});

export const judging = (changes: Partial<JudgedBy> = {}): JudgedBy => ({
  run: null,
  packId: 'concept-en',
  packVersion: '1.0.0',
  packSha256: sha('pack'),
  adapterVersion: '1',
  precision: 'fp32',
  device: 'cpu',
  degraded: false,
  policy: { version: policyVersion, revision: 0 },
  at: 1_750_000_000_000,
  ...changes,
});

export const verdict = (statement: StatementRecord, label: Label, changes: Partial<NewVerdict> = {}): NewVerdict => ({
  statement: statement.key,
  hypothesisHash: sha(statement.text),
  p: { yes: label === 'yes' ? 0.95 : 0.02, no: label === 'no' ? 0.95 : 0.02, maybe: label === 'maybe' ? 0.96 : 0.03 },
  caps: [],
  lean: label,
  confidence: 0.95,
  grade: label === 'maybe' ? 'low' : 'high',
  label,
  reason: { code: 'model_score', params: {} },
  wantsReview: label === 'maybe',
  ...changes,
});

export const want = (statements: readonly StatementRecord[], changes: Partial<Want> = {}): Want => ({
  verdicts: {
    packId: 'concept-en',
    packSha256: sha('pack'),
    adapterVersion: '1',
    statements: statements.map(({ key, text }) => ({ statement: key, hypothesisHash: sha(text) })),
  },
  evidence: { packSha256: sha('pack'), precision: null, inputSize: 224, preprocessVersion: 1 },
  recheck: { kind: 'none' },
  ...changes,
});

export const judged = (
  path: string,
  content: string,
  verdicts: readonly NewVerdict[],
  changes: Partial<JudgedFile> = {},
): JudgedFile => ({
  path,
  identity: identityOf(content),
  info: info(),
  evidence: { inputSize: 224, preprocessVersion: 1, blob: Buffer.from(content) },
  verdicts,
  ...changes,
});

export const statOf = (file: JudgedFile) => ({
  path: file.path,
  bytes: file.identity.bytes,
  mtimeMs: file.identity.mtimeMs,
  inode: file.identity.inode,
});
