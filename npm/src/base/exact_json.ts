// JSON whose integers may be larger than a number holds exactly: beyond 2^53 - 1.

import { readJson } from './json.js';

const isInteger = /^-?\d+$/;

/** A bigint where a number would lose digits. */
export const exactInteger = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

const exactNumber = (source: string): number | bigint =>
  isInteger.test(source) && !Number.isSafeInteger(Number(source)) ? BigInt(source) : Number(source);

/**
 * Like JSON.parse, with large integers as bigint.
 * @throws SyntaxError if the text is not JSON
 */
export const parseExactly = (text: string): unknown => readJson(text, exactNumber);
