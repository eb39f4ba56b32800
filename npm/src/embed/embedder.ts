/// <reference lib="esnext.disposable" preserve="true" />

import { checkIds, checkText } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { TextChunk } from '../text/chunker.js';
import type { EmbedderHandle } from './calls.js';
import type { EmbedClient } from './client.js';
import type {
  EmbedderChunkOptions,
  EmbedderLoadOptions,
  EmbedOptions,
  Encoding,
  Pooling,
  SparseVector,
  TokenEmbedOptions,
  TokenVectors,
  VectorKind,
} from './options.js';
import type { TokenClient } from './token_client.js';

/** Loaded with the first model, so that pages that embed nothing do not download it. */
const embedding = lazyModule(() => import('./client.js'), 'loadEmbedder');
const tokenVectors = lazyModule(() => import('./token_client.js'), 'TokenClient');

/**
 * A text embedding model: text in, vectors out. Calls are queued and run one at a time, in order. A failed call leaves
 * the embedder usable.
 */
export class Embedder extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /**
   * The kind of the model's vectors: dense ones come from `embed`, one for each token from `embedMulti`, sparse ones
   * from `embedSparse`.
   */
  readonly vectors: VectorKind;
  /** Number of elements of a vector; for sparse ones, including those that are 0. */
  readonly dimension: number;
  /** Default maximum number of tokens per text, special tokens included. */
  readonly maxLength: number;
  /** The pooling of token vectors into one vector, from the model's files; 'mean' if they have none. */
  readonly pooling: Pooling;
  /** The prompts that the model expects before its inputs, by name, for example 'query' and 'document'. */
  readonly prompts: Readonly<Record<string, string>>;

  private constructor(
    private readonly handle: EmbedderHandle,
    private readonly runs: EmbedClient,
  ) {
    super();
    const { dimension, maxLength, usage } = handle.description;
    this.info = handle.info;
    this.vectors = usage.vectors;
    this.dimension = dimension;
    this.maxLength = maxLength;
    this.pooling = usage.pooling;
    this.prompts = Object.freeze(usage.prompts);
    handle.ownedBy(this);
  }

  /**
   * Loads a model from a .weights or GGUF file, from the parts of a split GGUF model, or from a folder of Hugging Face
   * or sentence-transformers: its files by name, in Node also its path.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: EmbedderLoadOptions): Promise<Embedder> {
    const { EmbedClient, loadEmbedder } = await embedding();
    const handle = await loadEmbedder(source, options);
    return new Embedder(handle, new EmbedClient(handle));
  }

  /**
   * Computes the vector of a text: `dimension` float32 values. For a list of texts, of any length, the result is a list
   * of vectors in the same order, computed in batches.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  async embed(texts: string | readonly string[], options?: EmbedOptions): Promise<Float32Array | Float32Array[]> {
    return this.runs.embed(texts, options);
  }

  /**
   * Like `embed`, for queries: with the model's prompt `query`, if it has one. An explicit `prompt` or `promptName`
   * wins.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  embedQuery(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  async embedQuery(texts: string | readonly string[], options?: EmbedOptions): Promise<Float32Array | Float32Array[]> {
    return this.runs.embed(texts, options, 'query');
  }

  /**
   * Like `embed`, for documents: with the model's prompt `document`, `passage` or `corpus`, the first of these that it
   * has. An explicit `prompt` or `promptName` wins.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  async embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]> {
    return this.runs.embedAll(texts, options, 'document');
  }

  /**
   * Like `embed`, but returns the vectors of all texts in one row-major array, with their token counts.
   * @throws QuintetError INPUT, ABORTED, CLOSED, MEMORY
   */
  async encode(texts: readonly string[], options?: EmbedOptions): Promise<Encoding> {
    return this.runs.encode(texts, options);
  }

  /**
   * Computes vectors of texts as they arrive, and yields them in order. Reads only a small batch of texts ahead, after
   * the vectors of the last batch were consumed. If `texts` is not an array, the total passed to `onProgress` is
   * Infinity.
   */
  embedStream(
    texts: Iterable<string> | AsyncIterable<string>,
    options?: EmbedOptions,
  ): AsyncGenerator<Float32Array, void, undefined> {
    return this.runs.embedStream(texts, options);
  }

  /**
   * Computes the vector of a list of token ids, used as they are: no special token is added and nothing is cut.
   * @throws QuintetError INPUT for an id outside the vocabulary or for too many ids
   */
  async embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array> {
    return this.runs.embedIds(ids, options);
  }

  /**
   * Computes a vector of `dimension` values for each token of a text, with a model for late interaction (ColBERT): a
   * query is expanded, and tokens of documents without meaning are left out, according to the model's files. How well a
   * document fits a query is the sum, over the vectors of the query, of the largest dot product with one of the
   * document (`maxSim`).
   * @throws QuintetError UNSUPPORTED if the model gives other vectors (`vectors`); INPUT, ABORTED, CLOSED
   */
  embedMulti(text: string, options?: TokenEmbedOptions): Promise<TokenVectors>;
  embedMulti(texts: readonly string[], options?: TokenEmbedOptions): Promise<TokenVectors[]>;
  async embedMulti(
    texts: string | readonly string[],
    options?: TokenEmbedOptions,
  ): Promise<TokenVectors | TokenVectors[]> {
    const client = await this.tokens();
    return typeof texts === 'string' ? (await client.multi([texts], options))[0]! : client.multi(texts, options);
  }

  /**
   * Like `embedMulti`, for token ids, special tokens and the prefix of the role included. A query is still expanded.
   * @throws QuintetError as embedMulti; INPUT for an id outside the vocabulary or for too many ids
   */
  async embedMultiIds(ids: readonly number[], options?: TokenEmbedOptions): Promise<TokenVectors> {
    return (await this.tokens()).multiIds(ids, options);
  }

  /**
   * Computes the weights of entries of the vocabulary for a text, with a model for sparse vectors (SPLADE). How well a
   * document fits a query is the dot product of both.
   * @throws QuintetError UNSUPPORTED if the model gives other vectors (`vectors`); INPUT, ABORTED, CLOSED
   */
  embedSparse(text: string, options?: TokenEmbedOptions): Promise<SparseVector>;
  embedSparse(texts: readonly string[], options?: TokenEmbedOptions): Promise<SparseVector[]>;
  async embedSparse(
    texts: string | readonly string[],
    options?: TokenEmbedOptions,
  ): Promise<SparseVector | SparseVector[]> {
    const client = await this.tokens();
    return typeof texts === 'string' ? (await client.sparse([texts], options))[0]! : client.sparse(texts, options);
  }

  /**
   * Like `embedSparse`, for token ids: of a document with its special tokens, of a query whose weights are known
   * without them.
   * @throws QuintetError as embedSparse; INPUT for an id outside the vocabulary or for too many ids
   */
  async embedSparseIds(ids: readonly number[], options?: TokenEmbedOptions): Promise<SparseVector> {
    return (await this.tokens()).sparseIds(ids, options);
  }

  /** Token ids of a text, special tokens included, without truncation. */
  async tokenize(text: string): Promise<Int32Array> {
    return this.handle.call('tokenize', [checkText(text)]);
  }

  /** Number of tokens of a text, special tokens included: what the model reads, if no prompt is put before it. */
  async countTokens(text: string): Promise<number> {
    return this.handle.call('countTokens', [checkText(text)]);
  }

  /** The vocabulary entries of token ids; an empty string for an id outside the vocabulary. */
  async tokenTexts(ids: readonly number[]): Promise<string[]> {
    return this.handle.call('tokenTexts', [checkIds(ids)]);
  }

  /**
   * Splits a text like `chunkText`, counting this model's tokens: every chunk can be embedded without truncation, with
   * the prompt that `embed` puts before it.
   */
  async chunk(text: string, options?: EmbedderChunkOptions): Promise<TextChunk[]> {
    return this.runs.chunk(text, options);
  }

  private async tokens(): Promise<TokenClient> {
    const { TokenClient } = await tokenVectors();
    return new TokenClient(this.handle);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. Closing twice is allowed. */
  close(): void {
    this.handle.close();
  }
}
