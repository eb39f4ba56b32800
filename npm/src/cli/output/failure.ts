// Any error as the one line that goes to stderr: `quintet: <format>: <what> (at byte N)`.
import { QuintetError } from '../../base/errors.js';
import { UsageError } from '../options/usage_error.js';

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
