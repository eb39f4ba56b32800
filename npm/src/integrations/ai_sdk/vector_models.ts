// Embedders and rerankers as models of the AI SDK.

import type {
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
  EmbeddingModelV4Result,
  RerankingModelV4,
  RerankingModelV4CallOptions,
  RerankingModelV4Result,
} from '@ai-sdk/provider';
import type { Embedder } from '../../embed/embedder.js';
import type { EmbedOptions } from '../../embed/options.js';
import type { Reranker } from '../../rerank/reranker.js';
import { type Loadable, ProvidedModel, providerName } from './loadable.js';

export interface QuintetEmbeddingModel extends EmbeddingModelV4, Loadable {}
export interface QuintetRerankingModel extends RerankingModelV4, Loadable {}

export class EmbedderModel extends ProvidedModel<Embedder> implements QuintetEmbeddingModel {
  /** An embedder makes batches itself. */
  readonly maxEmbeddingsPerCall = Infinity;
  readonly supportsParallelCalls = false;

  async doEmbed(call: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> {
    const embedder = await this.model.get();
    const options: EmbedOptions = {
      ...call.providerOptions?.[providerName],
      ...(call.abortSignal && { signal: call.abortSignal }),
    };
    const { vectors, dimension, tokens } = await embedder.encode(call.values, options);
    return {
      embeddings: call.values.map((_, i) => Array.from(vectors.subarray(i * dimension, (i + 1) * dimension))),
      usage: { tokens: tokens.reduce((sum, count) => sum + count, 0) },
      warnings: [],
    };
  }
}

export class RerankerModel extends ProvidedModel<Reranker> implements QuintetRerankingModel {
  async doRerank({
    query,
    documents,
    topN,
    abortSignal,
  }: RerankingModelV4CallOptions): Promise<RerankingModelV4Result> {
    const reranker = await this.model.get();
    const texts = documents.type === 'text' ? documents.values : documents.values.map((value) => JSON.stringify(value));
    const ranked = await reranker.rank(query, texts, {
      ...(topN !== undefined && { topK: topN }),
      ...(abortSignal && { signal: abortSignal }),
    });
    return { ranking: ranked.map(({ index, score }) => ({ index, relevanceScore: score })) };
  }
}
