// The options of tokenizers, and the rules for them.

import { boolean, integer, readRules } from '../base/rules.js';
import type { ReadOptions } from '../base/types.js';
import type { Rule } from '../base/values.js';

/** Options of `Tokenizer.load`. A tokenizer always runs in the caller's thread, because its methods are synchronous. */
export type TokenizerLoadOptions = Omit<ReadOptions, 'worker'>;

/** Options of `Tokenizer.encode` and `Tokenizer.countTokens`. */
export interface EncodeOptions {
  /** Add the special tokens that the model expects at the start and end of a text. Default true. */
  addSpecial?: boolean;
  /** Parse special tokens written out in the text. Default false. */
  parseSpecial?: boolean;
}

/** Options of `Tokenizer.encodePair`. */
export interface EncodePairOptions {
  /** Maximum number of tokens of the pair. The longer text is cut at its end. Default: no limit. */
  maxLength?: number;
}

/** Options of `Tokenizer.decode`. */
export interface DecodeOptions {
  /** Leave out special tokens. Default true. */
  skipSpecial?: boolean;
}

/** Result of `Tokenizer.encodePair`. */
export interface EncodedPair {
  ids: Int32Array;
  /** For each id: 0 if it belongs to the first text, 1 if to the second. */
  types: Uint8Array;
}

const { worker: _worker, ...rest } = readRules;
export const tokenizerRules: Record<keyof TokenizerLoadOptions, Rule> = rest;
export const encodeRules: Record<keyof EncodeOptions, Rule> = { addSpecial: boolean, parseSpecial: boolean };
export const encodePairRules: Record<keyof EncodePairOptions, Rule> = { maxLength: integer(1, 2 ** 31 - 1) };
export const decodeRules: Record<keyof DecodeOptions, Rule> = { skipSpecial: boolean };
