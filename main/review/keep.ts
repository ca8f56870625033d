/** Keeps a spot check: its statement joins the set `adhoc`, and the photo's verdict on it is stored. */

import { realpath } from 'node:fs/promises';
import { vouchError } from '../contract/error.ts';
import { adhocSet } from '../contract/statement.ts';
import { VouchFailure } from '../failure.ts';
import { preprocessVersion } from '../images/preprocess-version.ts';
import { toJudge } from '../judging/encoded.ts';
import { encodeOne } from '../judging/judge-one.ts';
import type { Judging } from '../judging/judging.ts';
import type { Store } from '../store/types.ts';
import { policyStamp, readPolicy } from '../verdicts/local-policy.ts';
import { allHeld } from '../verdicts/rescore.ts';

/** @throws VouchFailure when nothing is left of the statement, or the file is no photo that can be judged. */
export const keepCheck = async (
  store: Store,
  judging: Judging,
  given: string,
  text: string,
  signal: AbortSignal,
): Promise<Readonly<{ photoId: string; verdictId: string }>> => {
  const { pack, rescorer } = judging;
  const path = await realpath(given).catch(() => {
    throw new VouchFailure(vouchError('file_missing', { path: given }));
  });
  const { encoded } = await encodeOne(judging, path, text, signal);
  const [statement] = await store.statements.addTo(adhocSet, [{ text }], pack.manifest.id);
  const [rows] = await rescorer.withStatements([statement!], (held) =>
    rescorer.judge(
      [toJudge(encoded)],
      allHeld(held).map(({ handle }) => handle),
    ),
  );
  await store.photos.recordJudged(
    {
      run: null,
      packId: pack.manifest.id,
      packVersion: pack.manifest.version,
      packSha256: pack.sha256,
      adapterVersion: rescorer.pack.adapterVersion,
      precision: encoded.precision,
      device: encoded.device,
      degraded: encoded.degraded,
      policy: policyStamp(await readPolicy(store, pack.sha256)),
      at: Date.now(),
    },
    [
      {
        path,
        identity: encoded.identity,
        info: encoded.info,
        evidence: encoded.degraded
          ? null
          : encoded.evidence && { inputSize: encoded.inputSize, preprocessVersion, blob: encoded.evidence },
        verdicts: rows ?? [],
      },
    ],
  );
  const photoId = await store.photos.idAt(path);
  const kept = photoId && (await store.verdicts.list({ photo: photoId, statement: statement!.id }, { limit: 1 }));
  const verdict = kept ? kept.items[0] : undefined;
  if (!photoId || !verdict) throw new VouchFailure(vouchError('unexpected', { detail: `${path} was not kept` }));
  return { photoId, verdictId: verdict.id };
};
