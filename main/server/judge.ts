/** `POST /v1/judge`: one photo against one statement, as `vouch judge` does; stores nothing. */
import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { JudgeDocument } from '../contract/cli.ts';
import { vouchError } from '../contract/errors.ts';
import type { JudgeRequest } from '../contract/http.ts';
import { judgeDocument } from '../documents/documents.ts';
import { errorOf, VouchFailure } from '../failure.ts';
import { judgeOne } from '../judging/judge-one.ts';
import type { Judging } from '../judging/judging.ts';

export const judgeRoute = 'POST /v1/judge';

const invalid = (path: string, problem: string) =>
  new VouchFailure(vouchError('invalid_input', { channel: judgeRoute, path, problem }));

const fileAt = async (path: string): Promise<string> => {
  if (!isAbsolute(path)) throw invalid('path', 'must be absolute');
  if (!(await stat(path).catch(() => null))?.isFile()) throw new VouchFailure(vouchError('file_missing', { path }));
  return path;
};

/** The decoder leaves out what is no base64, so that fewer bytes come of it. */
const bytesOf = (image: string): Buffer => {
  const bytes = Buffer.from(image, 'base64');
  if (bytes.length === 0 || bytes.length !== Buffer.byteLength(image, 'base64')) throw invalid('image', 'is no base64');
  return bytes;
};

/** An error about a sent photo names no file that the client never heard of. */
const aboutImage = (thrown: unknown): unknown => {
  const error = errorOf(thrown);
  if (error.code !== 'photo_unusable') return thrown;
  return new VouchFailure(vouchError('photo_unusable', { ...error.params, path: 'image' }));
};

/** Image hosts read files: a sent photo lies in `folder`, which is ours alone, while it is looked at. */
const withImage = async <T>(image: string, folder: string, use: (path: string) => Promise<T>): Promise<T> => {
  const path = join(folder, randomUUID());
  try {
    await writeFile(path, bytesOf(image), { mode: 0o600 });
    return await use(path);
  } catch (error) {
    throw aboutImage(error);
  } finally {
    await rm(path, { force: true });
  }
};

/** `client`: whose photo it is. Within the time limit of interactive photos; an abort lets go of it. */
export const answerJudge = async (
  judging: Judging,
  { statement, image, path = '' }: JudgeRequest,
  folder: string,
  client: string,
  signal: AbortSignal,
): Promise<JudgeDocument> => {
  const judge = async (file: string) => {
    const check = await judgeOne(judging, file, statement, signal, client);
    const { reason } = check.row;
    // A program asks again rather than take a MAYBE that nothing was looked at for.
    if (reason.code === 'timed_out') throw new VouchFailure(vouchError('timed_out', reason.params));
    return judgeDocument(judging, check);
  };
  return image === undefined ? judge(await fileAt(path)) : withImage(image, folder, judge);
};
