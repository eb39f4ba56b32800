// A JSON array in a tensor of a saved search index.

import { messageOf } from '../base/errors.js';
import { broken } from './index_tensors.js';

/** Bytes that are parsed at once: JSON.parse of a whole large array would block a page. */
const pieceBytes = 1 << 16;

const whitespace = [0x20, 0x09, 0x0a, 0x0d];
const [quote, comma, bracket, backslash] = [0x22, 0x2c, 0x5b, 0x5c];
/** Brackets and braces, which differ in this bit. */
const [anyBrace, opening, closing] = [0x20, 0x7b, 0x7d];

/** The elements of the array, which is parsed in pieces. */
export function* elementsOf(data: Uint8Array, name: string): Generator<unknown, void, undefined> {
  let start = data.findIndex((byte) => !whitespace.includes(byte)) + 1;
  if (data[start - 1] !== bracket) throw broken('malformed', 'not a JSON array', name);
  let depth = 0;
  let isText = false;
  for (let at = start - 1; at < data.length; ++at) {
    const byte = data[at]!;
    if (isText) {
      if (byte === backslash) ++at;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if ((byte | anyBrace) === opening) ++depth;
    else if ((byte | anyBrace) === closing) --depth;
    else if (byte === comma && depth === 1 && at - start >= pieceBytes) {
      yield* parsed(`[${textOf(data.subarray(start, at), name)}]`, name);
      start = at + 1;
    }
  }
  yield* parsed(`[${textOf(data.subarray(start), name)}`, name);
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw broken('malformed', `not UTF-8: ${messageOf(cause)}`, name);
  }
}

function parsed(text: string, name: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch (cause) {
    throw broken('malformed', `not JSON: ${messageOf(cause)}`, name);
  }
}
