// The options of tokenizers, and their rules.

import { readRules } from '../base/load_options.js';
import { type Rule } from '../base/options.js';
import { boolean, integer } from '../base/rules.js';
import type { ReadOptions } from '../base/types.js';

/** A tokenizer is synchronous: it always runs in the caller's thread. */
export type TokenizerLoadOptions = Omit<ReadOptions, 'worker'>;

export interface EncodeOptions {
  /** Add the tokens that the model wants at the begin and the end of a text. Default true. */
  addSpecial?: boolean;
  /** Special tokens that the text spells out become their ids. Default false. */
  parseSpecial?: boolean;
}

export interface EncodePairOptions {
  /** Most tokens of both texts together: the longer one loses tokens at its end. Default: no limit. */
  maxLength?: number;
}

export interface DecodeOptions {
  /** Leave special tokens out. Default true. */
  skipSpecial?: boolean;
}

/** What `encodePair` gives. */
export interface EncodedPair {
  ids: Int32Array;
  /** For every id 0 where it belongs to the first text, 1 where to the second. */
  types: Uint8Array;
}

const { worker: _worker, ...rest } = readRules;
export const tokenizerRules: Record<keyof TokenizerLoadOptions, Rule> = rest;
export const encodeRules: Record<keyof EncodeOptions, Rule> = { addSpecial: boolean, parseSpecial: boolean };
export const encodePairRules: Record<keyof EncodePairOptions, Rule> = { maxLength: integer(1, 2 ** 31 - 1) };
export const decodeRules: Record<keyof DecodeOptions, Rule> = { skipSpecial: boolean };
