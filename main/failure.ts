/** Carries an error that a person can do something about through code that may throw. */
import { type ErrorCode, type ErrorParams, type VouchError, vouchError } from './contract/errors.ts';

const brief = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(brief).join(', ') : String(value);

export class VouchFailure extends Error {
  override readonly name = 'VouchFailure';
  readonly error: VouchError;
  /** The message is for stacks and logs; people read what main/words makes of the error. */
  constructor(error: VouchError, options?: ErrorOptions) {
    super(`${error.code}: ${brief(error.params)}`, options);
    this.error = error;
  }
}

export const failWith = <C extends ErrorCode>(
  code: C,
  params: ErrorParams<C>,
  { retryable, cause }: Readonly<{ retryable?: boolean; cause?: unknown }> = {},
): never => {
  throw new VouchFailure(vouchError(code, params, retryable) as VouchError, { cause });
};

/** What a library said of a defect, on one line: validators answer with a JSON document, which is no sentence. */
const detailOf = (thrown: unknown): string => {
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  const issue = thrown instanceof Error && 'issues' in thrown && Array.isArray(thrown.issues) ? thrown.issues[0] : null;
  const text = issue ? `${issue.path?.join('.') ?? ''} ${issue.message}` : said;
  const [line = ''] = text.replace(/\s*[[{]\s*["{[].*$/s, '').split('\n');
  return line.trim() || (thrown instanceof Error ? thrown.name : 'something was thrown');
};

/** "permission denied" of "EACCES: permission denied, open '/x'". */
export const systemDetail = (thrown: unknown): string =>
  detailOf(thrown)
    .replace(/^E[A-Z0-9]+: /, '')
    .replace(/, [a-z]+( '.*')?$/, '');

/** What the system refused, where it names the file; null: something else. */
const systemError = (thrown: unknown): VouchError | null => {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  const { code } = thrown;
  const path = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return path === null ? null : vouchError('disk_full', { path });
  if (path === null) return null;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return vouchError('no_access', { path, detail: systemDetail(thrown) });
  return code === 'ENOENT' ? vouchError('file_missing', { path }) : null;
};

/** What a thrown value means to a person; a defect of ours is `unexpected`. `log`: the file where it is written down. */
export const errorOf = (thrown: unknown, log: string | null = null): VouchError => {
  if (thrown instanceof VouchFailure) {
    const { error } = thrown;
    return error.code === 'unexpected' && log !== null && error.params.log === null
      ? vouchError('unexpected', { ...error.params, log })
      : error;
  }
  // What signal.throwIfAborted() throws: nothing but Ctrl+C and a cancelled call abort.
  if (thrown instanceof Error && thrown.name === 'AbortError') return vouchError('cancelled', {});
  return systemError(thrown) ?? vouchError('unexpected', { detail: detailOf(thrown), log });
};

/** Whether this is a failure with one of these codes. */
export const failedWith = (thrown: unknown, ...codes: readonly ErrorCode[]): boolean =>
  thrown instanceof VouchFailure && codes.includes(thrown.error.code);
