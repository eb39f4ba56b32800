// How a command ends: its exit status, and for a failure the one line that goes to stderr,
// `quintet: <format>: <what> (at byte N)`.
import { QuintetError } from '../base/errors.js';

export const DONE = 0;
/** The check or comparison that was asked for failed. */
export const CHECK_FAILED = 1;
/** Some lines of the input could not be used; with all others it is done. */
export const LINES_FAILED = 1;
/** Bad usage or bad input. */
export const REFUSED = 2;

/** The command line itself is wrong: one line on stderr, exit status 2. */
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

/** Names from files may hold anything; a line must stay a line, and a terminal must not obey it. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
