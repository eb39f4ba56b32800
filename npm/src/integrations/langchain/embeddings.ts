// An embedder as embeddings of LangChain.

import { Embeddings, type EmbeddingsParams } from '@langchain/core/embeddings';
import type { Embedder } from '../../embed/embedder.js';
import type { EmbedOptions } from '../../embed/options.js';

export interface QuintetEmbeddingsFields extends EmbeddingsParams {
  embedder: Embedder;
  /** Options of `Embedder.embed`. */
  options?: EmbedOptions;
}

/** Queries and documents each get the model's prompt for them. */
export class QuintetEmbeddings extends Embeddings {
  readonly embedder: Embedder;
  private readonly options: EmbedOptions;

  constructor({ embedder, options = {}, ...params }: QuintetEmbeddingsFields) {
    super(params);
    this.embedder = embedder;
    this.options = options;
  }

  async embedQuery(text: string): Promise<number[]> {
    return Array.from(await this.embedder.embedQuery(text, this.options));
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    const vectors = await this.embedder.embedDocuments(texts, this.options);
    return vectors.map((vector) => Array.from(vector));
  }
}
