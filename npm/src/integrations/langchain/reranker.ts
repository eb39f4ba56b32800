// A reranker as a document compressor of LangChain, for ContextualCompressionRetriever.

import type { DocumentInterface } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import type { Reranker } from '../../rerank/reranker.js';

export interface QuintetRerankFields {
  reranker: Reranker;
  /** Number of documents to keep. Default 3. */
  topN?: number;
}

/** Keeps the documents that answer a query best, best first, each with its score as `metadata.relevanceScore`. */
export class QuintetRerank extends BaseDocumentCompressor {
  private readonly reranker: Reranker;
  private readonly topN: number;

  constructor({ reranker, topN = 3 }: QuintetRerankFields) {
    super();
    this.reranker = reranker;
    this.topN = topN;
  }

  async compressDocuments(documents: DocumentInterface[], query: string): Promise<DocumentInterface[]> {
    const texts = documents.map(({ pageContent }) => pageContent);
    const ranked = await this.reranker.rank(query, texts, { topK: this.topN });
    return ranked.map(({ index, score }) => {
      const document = documents[index]!;
      return { ...document, metadata: { ...document.metadata, relevanceScore: score } };
    });
  }
}
