// The calls from a Reranker to its host.

import type { ModelFormat } from '../base/types.js';
import type { CallContext, HostLoadOptions, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';

/** The checked options of a load, without those that are only used on the caller's side. */
export interface RerankerHostOptions extends HostLoadOptions {
  format: ModelFormat | '';
  quantize: 'none' | 'int8';
}

export interface RerankerDescription extends ModelDescription {
  maxLength: number;
  maxPositions: number;
}

export interface ScoreResult {
  /** One per text. */
  scores: Float32Array;
  /** Number of tokens of each pair before truncation. */
  tokens: Int32Array;
}

export interface RerankerCalls {
  score(watch: CallContext, query: string, texts: readonly string[], maxLength: number): Promise<ScoreResult>;
  /** The logit of a pair that is given as tokens. `types`: none, or one per id. */
  scoreIds(watch: CallContext, ids: Int32Array, types: Int32Array): Promise<number>;
}

export type RerankerHandle = ModelHandle<RerankerCalls, RerankerDescription>;
