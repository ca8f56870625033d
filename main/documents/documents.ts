/** Parts that several JSON documents have in common. */

import type { JudgeDocument, VerdictsDocument } from '../contract/cli.ts';
import type { Device, Precision } from '../contract/labels.ts';
import type { LoadedInfo } from '../inference/protocol.ts';
import type { SpotCheck } from '../judging/judge-one.ts';
import type { Judging } from '../judging/judging.ts';
import { percentile } from '../measure/percentile.ts';
import type { VerdictItem, VerdictPage } from '../store/types.ts';
import { reasonText } from '../words/english.ts';

export const modelOf = ({ pack }: Judging) => ({
  id: pack.manifest.id,
  version: pack.manifest.version,
  sha256: pack.sha256,
});

/** `info` is null where nothing was inferred. */
export const deviceOf = (requested: Device | 'auto', info: LoadedInfo | null) => ({
  requested,
  used: info?.device.used ?? null,
  proof: info?.device.proof ?? null,
  fallbackReason: info?.device.fallbackReason ?? null,
  index: info?.device.index ?? null,
  passedOver: info?.device.passedOver.map(({ device, reason }) => `${device}: ${reason}`) ?? [],
});

export const precisionOf = (info: LoadedInfo | null): Precision | null => info?.precision ?? null;

export const judgeDocument = (judging: Judging, check: SpotCheck): JudgeDocument => {
  const { row, sent, prescreen, timingMs, loaded, precision } = check;
  return {
    label: row.label,
    lean: row.lean,
    confidence: row.confidence,
    grade: row.grade,
    p: row.adjusted,
    caps: row.caps,
    reason: reasonText(row.reason),
    reasonCode: row.reason.code,
    explanation: row.explanation,
    sent,
    prescreen,
    timingMs,
    device: deviceOf(judging.options.device, loaded),
    precision,
    model: modelOf(judging),
  };
};

export const verdictItem = (item: VerdictItem) => ({
  id: item.id,
  photo: item.photo,
  path: item.path,
  statement: item.statement,
  label: item.label,
  effectiveLabel: item.effectiveLabel,
  lean: item.lean,
  confidence: item.confidence,
  grade: item.grade,
  reason: reasonText(item.reason),
  reasonCode: item.reason.code,
  damaged: item.damaged,
  reviewed: item.reviewed,
  model: item.model,
  precision: item.precision,
  device: item.device,
  at: new Date(item.at).toISOString(),
});

export const verdictsDocument = ({ total, items }: VerdictPage): VerdictsDocument => ({
  total,
  items: items.map(verdictItem),
});

export const latencyOf = (samples: readonly number[]) => {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    mean: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
  };
};
