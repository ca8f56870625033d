/** The words of the ladder that the engine steps down under pressure. */

export const rungs = [1, 2, 3, 4] as const;
export type Rung = (typeof rungs)[number];

export const degradationCodes = [
  'put_off',
  'paused',
  'batch_reduced',
  'input_reduced',
  'grades_raised',
  'device_fallback',
  'precision_fallback',
] as const;
export type DegradationCode = (typeof degradationCodes)[number];

export const degradationCauses = ['memory', 'latency', 'failures', 'device', 'pinned'] as const;
export type DegradationCause = (typeof degradationCauses)[number];

/** One thing that the engine does less well than asked, and since when; UTC milliseconds. */
export type Degradation = Readonly<{ code: DegradationCode; cause: DegradationCause; since: number }>;
/** One that is over. */
export type PastDegradation = Degradation & Readonly<{ until: number }>;
