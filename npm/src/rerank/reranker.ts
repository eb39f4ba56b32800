/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { RerankerHandle } from './calls.js';
import type { RerankRuns } from './client.js';
import type { RankedText, RankOptions, RerankerLoadOptions, ScoreOptions } from './options.js';

/** Loaded with the first model, so that pages that rerank nothing do not download it. */
const reranking = lazyModule(() => import('./client.js'), 'loadReranker');

/**
 * A cross-encoder: it reads a query and a text together and scores how well the text answers the query. Slower and more
 * exact than comparing vectors, so it is used for the best hits of a search. Calls are queued and run one at a time, in
 * order. A failed call leaves the reranker usable.
 */
export class Reranker extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Default maximum number of tokens of a query and a text together, special tokens included. */
  readonly maxLength: number;

  private constructor(
    private readonly handle: RerankerHandle,
    private readonly runs: RerankRuns,
  ) {
    super();
    this.info = handle.info;
    this.maxLength = handle.description.maxLength;
    handle.ownedBy(this);
  }

  /**
   * Loads a model from a folder of Hugging Face, that is its files by name, in Node also its path, or from a GGUF file
   * or the parts of a split one.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: RerankerLoadOptions): Promise<Reranker> {
    const { RerankRuns, loadReranker } = await reranking();
    const handle = await loadReranker(source, options);
    return new Reranker(handle, new RerankRuns(handle));
  }

  /**
   * Scores a text, or each of a list of any length, for a query: the higher, the better. Scores are logits, or between
   * 0 and 1, depending on the model's configuration; those of GGUF files are logits.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  score(query: string, text: string, options?: ScoreOptions): Promise<number>;
  score(query: string, texts: readonly string[], options?: ScoreOptions): Promise<Float32Array>;
  async score(
    query: string,
    texts: string | readonly string[],
    options?: ScoreOptions,
  ): Promise<number | Float32Array> {
    const scores = await this.runs.score(query, typeof texts === 'string' ? [texts] : texts, options);
    return typeof texts === 'string' ? scores[0]! : scores;
  }

  /**
   * The texts with their scores, best first. Texts of the same score keep their order.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  async rank(query: string, texts: readonly string[], options?: RankOptions): Promise<RankedText[]> {
    return this.runs.rank(query, texts, options);
  }

  /**
   * The logit of a pair that is given as token ids, used as they are: no special token is added and nothing is cut.
   * `tokenTypes`: of each token the part of the pair, 0 or 1; default 0.
   * @throws QuintetError INPUT for an id outside the vocabulary, a type that the model does not have, or too many ids
   */
  async scoreIds(ids: readonly number[], tokenTypes?: readonly number[]): Promise<number> {
    return this.runs.scoreIds(ids, tokenTypes);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. Closing twice is allowed. */
  close(): void {
    this.handle.close();
  }
}
