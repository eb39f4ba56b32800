// Errors as OpenAI's protocol has them: { error: { message, type, param, code } }
// (https://platform.openai.com/docs/guides/error-codes).

import { type ErrorCode, messageOf, QuintetError } from '../../base/errors.js';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The field of the request that is wrong. */
    readonly param: string | null = null,
    readonly code: string | null = null,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  toJSON(): object {
    const { message, status, param, code } = this;
    return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code } };
  }
}

export const invalidField = (param: string, expected: string): ApiError =>
  new ApiError(400, `${param === '' ? 'the body' : `'${param}'`} must be ${expected}`, param, 'invalid_value');

/** `unless`: the condition under which it is supported. */
export const unsupportedField = (param: string, unless = ''): ApiError =>
  new ApiError(400, `'${param}' is not supported${unless}`, param, 'unsupported_parameter');

/** HTTP statuses for the failures of a model. The others are bugs: 500. */
const statuses: Partial<Record<ErrorCode, number>> = { INPUT: 400, UNSUPPORTED: 400, MEMORY: 503, CLOSED: 503 };

/** The error of anything that was thrown while a request was answered. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof QuintetError)) return new ApiError(500, messageOf(error));
  return new ApiError(statuses[error.code] ?? 500, error.message, null, error.reason ?? null);
}
