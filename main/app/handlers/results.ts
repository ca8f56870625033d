import type { Handlers } from '../../contract/api.ts';
import type { Explanation } from '../../contract/reason.ts';
import type { PairDetail, PhotoDetail, ReviewRecord, VerdictRecord } from '../../contract/views.ts';
import { failWith } from '../../failure.ts';
import { preprocessVersion } from '../../images/preprocess-version.ts';
import { type Calibration, calibrate } from '../../policy/calibration.ts';
import { applyCaps, chooseThresholds, noMarks } from '../../policy/policy.ts';
import type { PhotoResults, StoredPair, StoredVerdict } from '../../store/types.ts';
import { readPolicy } from '../../verdicts/local-policy.ts';
import type { AppService } from '../app-service.ts';

const reviewsShown = 500;

const toRecord = (verdict: StoredVerdict, calibration: Calibration | undefined): VerdictRecord => ({
  id: verdict.id,
  label: verdict.label,
  lean: verdict.lean,
  confidence: verdict.confidence,
  grade: verdict.grade,
  p: verdict.p && applyCaps(calibrate(verdict.p, calibration), verdict.caps),
  reason: verdict.reason,
  model: { id: verdict.packId, version: verdict.packVersion, sha256: verdict.packSha256 },
  precision: verdict.precision,
  device: verdict.device,
  degraded: verdict.degraded,
  at: verdict.at,
});

export const resultHandlers = ({ store, judging, finder }: AppService): Handlers['results'] => {
  /** Why, for each pair that the active pack judged on evidence which is still there. */
  const explain = async (photoId: string, pairs: readonly StoredPair[]): Promise<ReadonlyMap<number, Explanation>> => {
    const { pack, rescorer, inputSize } = await judging.current();
    const own = pairs.filter(({ current }) => current.packSha256 === pack.sha256);
    const precision = own[0]?.current.precision;
    if (rescorer.pack.kind !== 'separable' || precision === undefined) return new Map();
    const wanted = { packSha256: pack.sha256, precision, inputSize, preprocessVersion };
    const evidence =
      (await store.results.evidence(photoId, wanted)) ??
      (await store.results.evidence(photoId, { ...wanted, precision: null }));
    if (!evidence) return new Map();
    const statements = own.map(({ statement, text, yes, no, flag }) => ({
      key: statement,
      text,
      yes: yes ?? undefined,
      no: no ?? undefined,
      flag: flag ?? undefined,
    }));
    const seen = { kind: 'evidence' as const, evidence };
    const [rows = []] = await rescorer.withStatements(statements, (held) => {
      const handles = held.flatMap((result) => (result.ok ? [result.value.handle] : []));
      return rescorer.judge([{ seen, marks: noMarks }], handles, true);
    });
    return new Map(rows.flatMap(({ statement, explanation }) => (explanation ? [[statement, explanation]] : [])));
  };

  const reviewsOf = async (photoId: string): Promise<ReadonlyMap<string, readonly ReviewRecord[]>> => {
    const all = await store.reviews.list({ photo: photoId, limit: reviewsShown });
    const undone = new Set(all.flatMap(({ undoes }) => undoes ?? []));
    const made = all.flatMap(({ kind, ...review }) =>
      kind === 'undo' ? [] : [{ ...review, kind, undone: undone.has(review.id) }],
    );
    const byStatement = Map.groupBy(made, ({ statementId }) => statementId);
    return new Map(
      [...byStatement].map(([statementId, reviews]) => [
        statementId,
        reviews.map(({ id, kind, label, note, at, undone: taken }) => ({ id, kind, label, note, at, undone: taken })),
      ]),
    );
  };

  const toDetail = async ({ photo, pairs }: PhotoResults): Promise<PhotoDetail> => {
    const [explanations, reviews, tags, { pack }] = await Promise.all([
      explain(photo.id, pairs),
      reviewsOf(photo.id),
      store.tags.ofPhoto(photo.id),
      judging.current(),
    ]);
    const { riskControl, calibrations } = await readPolicy(store, pack.sha256);
    /** What was fitted to one pack says nothing of another's p. */
    const recordOf = ({ statement }: StoredPair, verdict: StoredVerdict) =>
      toRecord(
        verdict,
        verdict.packSha256 === pack.sha256 ? (calibrations?.statements[statement] ?? calibrations?.pack) : undefined,
      );
    const toPair = (pair: StoredPair): PairDetail => ({
      statementId: pair.statementId,
      statement: pair.text,
      setName: pair.set,
      tag: pair.tag,
      thresholds: chooseThresholds({
        statement: { ...(pair.yes !== null && { yes: pair.yes }), ...(pair.no !== null && { no: pair.no }) },
        riskControl: riskControl ?? undefined,
        pack: pack.manifest.thresholds,
      }),
      current: recordOf(pair, pair.current),
      effectiveLabel: pair.effectiveLabel,
      wantsReview: pair.wantsReview,
      caps: pair.current.caps,
      explanation: explanations.get(pair.statement) ?? null,
      history: pair.history.map((verdict) => recordOf(pair, verdict)),
      reviews: reviews.get(pair.statementId) ?? [],
    });
    const { format, bytes, width, height, frames, damaged, takenAt, camera, hasGps, fileHash, imageHash } = photo;
    return {
      photoId: photo.id,
      paths: photo.paths.map(({ path, alive }) => ({ path, present: alive })),
      ...{ format, bytes, width, height, frames, damaged, takenAt, camera, hasGps, fileHash, imageHash },
      prescreen: photo.prescreen,
      tags,
      pairs: pairs.map(toPair),
    };
  };

  return {
    page: async (request) => {
      const { filter, cursor } = request;
      if (filter.fits) await finder.find(filter.fits.text, { fresh: cursor === null });
      return store.results.page(request);
    },
    cameras: () => store.results.cameras(),
    counts: async ({ filter }) => {
      if (filter.fits) await finder.find(filter.fits.text);
      return store.results.counts(filter);
    },
    photo: async ({ photoId }) => {
      const found = await store.results.photo(photoId);
      return found ? toDetail(found) : failWith('not_found', { what: 'photo', id: photoId });
    },
  };
};
