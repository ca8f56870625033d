/** Failures become data here: errors of the core keep their code, everything else is `unexpected`. */
import type { ApiError } from '../main/contract/result.ts';

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
export const failWith = <C extends ApiError['code']>(
  code: C,
  params: Extract<ApiError, { code: C }>['params'],
  retryable = false,
): never => {
  throw new ApiFailure({ code, params, retryable } as ApiError);
};

export const toApiError = (cause: unknown): ApiError => {
  if (cause instanceof ApiFailure) return cause.error;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return { code: 'unexpected', params: { detail }, retryable: false };
};
