/// <reference lib="esnext.disposable" preserve="true" />

import { embedding } from './lazy_parts.js';
import type { EmbedOptions, LoadedModelInfo, LoadOptions, ModelSource } from './types.js';

/** What `encode` gives. */
export interface Encoding {
  /** Row-major: text `i` has the elements from `i * dimension` on. */
  vectors: Float32Array;
  dimension: number;
  /** Tokens of every text before cutting, [CLS] and [SEP] included. */
  tokens: Int32Array;
  /** 1 for every text that was cut. */
  truncated: Uint8Array;
}

/**
 * A sentence embedder: text in, vectors out. Calls queue and run one after another; a failed one leaves it usable. What
 * embeds is loaded with the first model (loaded_embedder.ts), for the sake of pages that never do.
 */
export abstract class Embedder {
  /** What the file says, and how it runs. */
  abstract readonly info: LoadedModelInfo;
  /** Elements of a vector. */
  abstract readonly dimension: number;
  /** Default limit of the tokens of one text, [CLS] and [SEP] included. */
  abstract readonly maxLength: number;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /**
   * Loads a model.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource, options?: LoadOptions): Promise<Embedder> {
    return (await embedding()).loadSentenceEmbedder(Embedder, source, options);
  }

  /** The vector of a text, or those of several in their order: any number, they are computed in batches. */
  abstract embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
  abstract embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;

  /** As `embed`, for many texts: all vectors in one array. */
  abstract encode(texts: readonly string[], options?: EmbedOptions): Promise<Encoding>;

  /**
   * Vectors of texts as they come, in their order. Reads a few texts ahead, and only when the vectors before were
   * taken. `onProgress` gets Infinity as the total where `texts` is not an array.
   */
  abstract embedStream(
    texts: Iterable<string> | AsyncIterable<string>,
    options?: EmbedOptions,
  ): AsyncGenerator<Float32Array, void, undefined>;

  /** The vector of token ids, taken as they are: nothing is added. */
  abstract embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array>;

  /** Token ids of a text with [CLS] and [SEP], not cut. */
  abstract tokenize(text: string): Promise<Int32Array>;

  /** Number of tokens of a text, [CLS] and [SEP] included. */
  abstract countTokens(text: string): Promise<number>;

  /** The vocabulary's texts of token ids; empty for an id outside of it. */
  abstract tokens(ids: readonly number[]): Promise<string[]>;

  /** Frees the model. Calls that still wait, and all later ones, fail with CLOSED. Closing twice is fine. */
  abstract close(): void;
}
