// Texts from the command line, from files and from stdin.
import { createReadStream } from 'node:fs';
import { inputError, ioError, messageOf } from '../../base/errors.js';
import { LONGEST_LINE } from '../output/line_pieces.js';
import { lineBatches, type TextLine } from '../output/lines.js';

/** Bytes of a prompt: the limit of a line, which is more than any context holds. */
export const LONGEST_PROMPT = LONGEST_LINE;
/** Bytes of a text to be scored. A string in V8 holds about twice as many. */
export const LONGEST_TEXT = 1 << 28;

/** A whole file, or stdin for `-`, of at most `most` bytes of UTF-8. `what` names it in an error. */
export async function wholeText(path: string, what: string, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytesOf(path, what)) {
    length += piece.length;
    if (length > most) throw inputError('limit', `${what} is longer than ${most} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw inputError('invalid_utf8', `${what} is not UTF-8`);
  }
}

async function* bytesOf(path: string, what: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === '-' ? process.stdin : createReadStream(path);
  } catch (error) {
    throw ioError('read_failed', `cannot read ${what}: ${messageOf(error)}`, error);
  }
}

/** The argument itself; or, for `-`, the lines of stdin. */
export async function* textsOf(argument: string): AsyncGenerator<string> {
  if (argument !== '-') {
    yield argument;
    return;
  }
  for await (const { text } of stdinLines()) yield text;
}

/** The lines of stdin; one that cannot be read ends them with its error. */
export async function* stdinLines(): AsyncGenerator<TextLine> {
  for await (const lines of lineBatches(process.stdin)) {
    for (const line of lines) {
      if (line.fault) throw line.fault;
      yield line;
    }
  }
}
