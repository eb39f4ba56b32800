/// <reference lib="esnext.disposable" preserve="true" />

import { checkIds, checkText } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { lazyPart } from '../base/lazy_part.js';
import type { LoadedModelInfo, ModelSource } from '../base/types.js';
import type { TextChunk } from '../text/chunk_text.js';
import type { EmbedderHandle, Encoding } from './calls.js';
import type { EmbedderChunkOptions, EmbedderLoadOptions, EmbedOptions } from './options.js';
import type { EmbedRuns } from './runs.js';

/** What embeds comes with the first model, for the sake of pages that never do. */
const embedding = lazyPart(() => import('./runs.js'), 'loadEmbedder');

/** A sentence embedder: text in, vectors out. Calls queue and run one after another; a failed one leaves it usable. */
export class Embedder extends Disposable {
  /** What the file says, and how it runs. */
  readonly info: LoadedModelInfo;
  /** Elements of a vector. */
  readonly dimension: number;
  /** Default limit of the tokens of one text, [CLS] and [SEP] included. */
  readonly maxLength: number;

  private constructor(
    private readonly handle: EmbedderHandle,
    private readonly runs: EmbedRuns,
  ) {
    super();
    const { dimension, maxLength } = handle.description;
    this.info = handle.info;
    this.dimension = dimension;
    this.maxLength = maxLength;
    handle.ownedBy(this);
  }

  /**
   * Loads a model.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource, options?: EmbedderLoadOptions): Promise<Embedder> {
    const { EmbedRuns, loadEmbedder } = await embedding();
    const handle = await loadEmbedder(source, options);
    return new Embedder(handle, new EmbedRuns(handle));
  }

  /** The vector of a text, or those of several in their order: any number, they are computed in batches. */
  embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  async embed(texts: string | readonly string[], options?: EmbedOptions): Promise<Float32Array | Float32Array[]> {
    const rows = await this.runs.embed(typeof texts === 'string' ? [texts] : texts, options);
    return typeof texts === 'string' ? rows[0]! : rows;
  }

  /** As `embed`, for many texts: all vectors in one array. */
  async encode(texts: readonly string[], options?: EmbedOptions): Promise<Encoding> {
    return this.runs.encode(texts, options);
  }

  /**
   * Vectors of texts as they come, in their order. Reads a few texts ahead, and only when the vectors before were
   * taken. `onProgress` gets Infinity as the total where `texts` is not an array.
   */
  embedStream(
    texts: Iterable<string> | AsyncIterable<string>,
    options?: EmbedOptions,
  ): AsyncGenerator<Float32Array, void, undefined> {
    return this.runs.embedStream(texts, options);
  }

  /** The vector of token ids, taken as they are: nothing is added. */
  async embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array> {
    return this.runs.embedIds(ids, options);
  }

  /** Token ids of a text with [CLS] and [SEP], not cut. */
  async tokenize(text: string): Promise<Int32Array> {
    return this.handle.call('tokenize', [checkText(text)]);
  }

  /** Number of tokens of a text, [CLS] and [SEP] included. */
  async countTokens(text: string): Promise<number> {
    return this.handle.call('countTokens', [checkText(text)]);
  }

  /** The vocabulary's texts of token ids; empty for an id outside of it. */
  async tokens(ids: readonly number[]): Promise<string[]> {
    return this.handle.call('tokens', [checkIds(ids)]);
  }

  /** As `chunkText`, with the tokens of this model: every chunk can be embedded without being cut. */
  async chunk(text: string, options?: EmbedderChunkOptions): Promise<TextChunk[]> {
    return this.runs.chunk(text, options);
  }

  /** Frees the model. Calls that still wait, and all later ones, fail with CLOSED. Closing twice is fine. */
  close(): void {
    this.handle.close();
  }
}
