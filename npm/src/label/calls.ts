// The calls from a TextClassifier or TokenClassifier to its host.

import type { ModelFormat } from '../base/types.js';
import type { CallContext, HostLoadOptions, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';

/** The checked options of a load, without those that are only used on the caller's side. */
export interface LabelerHostOptions extends HostLoadOptions {
  format: ModelFormat | '';
  quantize: 'none' | 'int8';
  /** Whether the tokens of a text get labels, or the text. */
  perToken: boolean;
}

/** Label settings from the model's files. */
export interface LabelerUsage {
  labels: string[];
  /** The form that the logits are converted to. */
  scores: 'logits' | 'sigmoid' | 'softmax';
  /** Whether the vocabulary writes tokens that continue a word with '##'. */
  marksContinuations: boolean;
}

export interface LabelerDescription extends ModelDescription {
  usage: LabelerUsage;
  maxLength: number;
  maxPositions: number;
}

export interface TextPair {
  text: string;
  pair: string;
}

export interface TextLogits {
  /** [texts][labels] */
  logits: Float32Array;
  /** Number of tokens of each text before truncation. */
  tokens: Int32Array;
}

export interface TokenLogits {
  /** [tokens][labels] */
  logits: Float32Array;
  /**
   * Three numbers each: begin and end in the text, and the characters of its entry in the vocabulary or, for the
   * unknown token, 0.
   */
  tokens: Int32Array;
}

export interface LabelerCalls {
  label(watch: CallContext, texts: readonly (string | TextPair)[], maxLength: number): Promise<TextLogits>;
  labelTokens(watch: CallContext, text: string, maxLength: number): Promise<TokenLogits>;
  /** The logits of a text that is given as tokens, or of each of these. `types`: none, or one per id. */
  labelIds(watch: CallContext, ids: Int32Array, types: Int32Array): Promise<Float32Array>;
}

export type LabelerHandle = ModelHandle<LabelerCalls, LabelerDescription>;
