// The calls from an ImageEmbedder to its host.

import type { Picture } from '../images/image_input.js';
import type { Pixels } from '../images/pixels.js';
import type { PreparedImage } from '../images/types.js';
import type { CallContext, HostLoadOptions, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';
import type { Tower } from './types.js';

export interface ImageEmbedderHostOptions extends HostLoadOptions {
  /** '' if not given. */
  format: string;
  towers: 'both' | Tower;
  quantize: 'none' | 'int8';
}

/** Usage settings from the model's files. */
export interface ImageEmbedderUsage {
  /** Number of elements of a vector. */
  dimension: number;
  /** The towers that are loaded. */
  towers: Tower[];
  /** The height of the network's input; 0 without its tower. */
  inputSize: number;
  /** The maximum number of tokens of a text; 0 without its tower. */
  maxTokens: number;
  /** Cosines are multiplied by it. */
  scale: number;
  /** Added to the product. */
  bias: number;
  /** Whether each text has its own probability (a sigmoid); else those of all texts add up to 1 (a softmax). */
  pairwise: boolean;
}

export type ImageEmbedderDescription = ModelDescription & ImageEmbedderUsage;

export interface ImageEmbedderCalls {
  /** Needs no model, so that it can run while one computes. */
  decode(watch: CallContext, picture: Picture): Promise<Pixels>;
  embedPicture(watch: CallContext, picture: Picture): Promise<Float32Array>;
  prepare(watch: CallContext, picture: Picture): Promise<PreparedImage>;
  embedInput(watch: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array>;
  embedText(watch: CallContext, text: string): Promise<Float32Array>;
  embedIds(watch: CallContext, ids: Int32Array): Promise<Float32Array>;
  tokenize(watch: CallContext, text: string): Promise<Int32Array>;
}

export type ImageEmbedderHandle = ModelHandle<ImageEmbedderCalls, ImageEmbedderDescription>;
