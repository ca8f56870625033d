/** Failures become data here: what the core says of itself keeps its code, everything else is `unexpected`. */
import type { VouchError } from '../contract/error.ts';
import type { ApiError, ApiErrors } from '../contract/result.ts';
import { errorOf } from '../failure.ts';

/** Thrown by handlers to answer with a certain error. */
export class ApiFailure extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.code);
    this.name = 'ApiFailure';
    this.error = error;
  }
}

/** `retryable`: whether the same call may work later without any change. */
export const failWith = <C extends keyof ApiErrors>(code: C, params: ApiErrors[C], retryable = false): never => {
  throw new ApiFailure({ code, params, retryable } as ApiError);
};

const textOf = (params: Readonly<Record<string, unknown>>, ...names: readonly string[]): string =>
  names.map((name) => params[name]).find((value): value is string => typeof value === 'string') ?? '';

/** The errors of the core that a window knows under another name. */
const forWindow = (error: VouchError): ApiError => {
  const { retryable } = error;
  switch (error.code) {
    case 'pack_unknown':
      return { code: 'pack_broken', params: { pack: error.params.id, detail: 'there is no such pack' }, retryable };
    case 'precision_unavailable':
    case 'input_size_unavailable':
      return { code: 'engine_unavailable', params: { detail: error.params.detail }, retryable };
    case 'runtime_missing':
    case 'queue_full':
      return { code: 'engine_unavailable', params: { detail: error.params.detail }, retryable };
    case 'timed_out':
      return {
        code: 'engine_unavailable',
        params: { detail: `no answer within ${error.params.limitMs} ms` },
        retryable,
      };
    case 'store_newer':
    case 'store_missing':
    case 'store_closed':
    case 'network_path':
    case 'not_writable':
    case 'read_only': {
      const params = { path: textOf(error.params, 'path'), why: error.code, detail: textOf(error.params, 'error') };
      return { code: 'store_unusable', params, retryable };
    }
    case 'store_locked':
    case 'disk_full':
      return { code: error.code, params: { path: textOf(error.params, 'path') }, retryable };
    case 'store_corrupt': {
      const { params } = error;
      return {
        code: error.code,
        params: { path: textOf(params, 'setAside', 'path'), detail: textOf(params, 'problem', 'error') },
        retryable,
      };
    }
    case 'not_found': {
      const [[what, id] = ['verdict', '']] = Object.entries(error.params);
      return 'what' in error.params ? error : { code: 'not_found', params: { what: what as 'verdict', id }, retryable };
    }
    case 'usage':
    case 'file_missing':
    case 'file_unreadable':
    case 'photo_unusable':
    case 'set_invalid':
    case 'colloquial_invalid':
    case 'pairs_invalid':
    case 'not_a_backup':
    case 'some_failed':
    case 'unauthorised':
    case 'foreign':
    case 'no_route':
    case 'body_too_large':
      return { code: 'unexpected', params: { detail: `${error.code} ${JSON.stringify(error.params)}` }, retryable };
    default:
      return error;
  }
};

export const toApiError = (cause: unknown): ApiError =>
  cause instanceof ApiFailure ? cause.error : forWindow(errorOf(cause));
