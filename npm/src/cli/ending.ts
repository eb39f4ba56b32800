// The end of a command: its exit status, and for a failure one line on stderr, `quintet: <format>: <what> (at byte N)`.
import { QuintetError } from '../base/errors.js';

export const DONE = 0;
/** A check or comparison failed. */
export const CHECK_FAILED = 1;
/** Some input lines could not be used; all others were. */
export const LINES_FAILED = 1;
/** Bad usage or bad input. */
export const REFUSED = 2;

/** Something is wrong with the command line itself: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function failureLine(error: unknown, subject = 'input'): string {
  return `quintet: ${oneLine(describe(error, subject))}`;
}

function describe(error: unknown, subject: string): string {
  if (error instanceof UsageError) return error.message;
  if (!(error instanceof QuintetError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const at = error.offset === undefined ? '' : ` (at byte ${error.offset})`;
  const what = error.message.endsWith(at) ? error.message : error.message + at;
  const where = error.format ?? (error.code === 'FORMAT' ? subject : undefined);
  return where === undefined || what.startsWith(`${where}: `) ? what : `${where}: ${what}`;
}

/** Names from files may contain anything: the line must stay one line, without control characters. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
