// Names the file of a model in an error about it.

import { QuintetError } from '../../base/errors.js';

/** `name` may be empty, for the files of a list. */
export function inFile(error: unknown, name: string, index: number, count: number): unknown {
  if (!(error instanceof QuintetError) || !/^(FORMAT|UNSUPPORTED)$/.test(error.code)) return error;
  const file = name === '' ? `file ${index + 1} of ${count}` : name;
  const { code, message, reason, offset, format, tensor } = error;
  if (message.includes(file)) return error;
  return new QuintetError(code, `${file}: ${message}`, { reason, offset, format, tensor });
}
