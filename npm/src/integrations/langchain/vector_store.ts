// A search index as a vector store of LangChain.

import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import type { SearchIndex } from '../../search/search_index.js';

/** The payload of an entry of the index. */
export interface DocumentPayload {
  pageContent: string;
  metadata: Record<string, unknown>;
}

export interface QuintetVectorStoreFields {
  /** An empty index, or one that was saved with documents. */
  index: SearchIndex<DocumentPayload>;
}

export class QuintetVectorStore extends VectorStore {
  declare FilterType: (document: DocumentPayload) => boolean;
  readonly index: SearchIndex<DocumentPayload>;

  constructor(embeddings: EmbeddingsInterface, { index }: QuintetVectorStoreFields) {
    super(embeddings, {});
    this.index = index;
  }

  _vectorstoreType(): string {
    return 'quintet';
  }

  async addDocuments(documents: DocumentInterface[], options?: { ids?: string[] }): Promise<string[]> {
    const vectors = await this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
    return this.addVectors(vectors, documents, options);
  }

  /** Documents without an id get one. The same id again replaces a document. */
  async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options?: { ids?: string[] },
  ): Promise<string[]> {
    return documents.map(({ id: own, pageContent, metadata }, i) => {
      const id = options?.ids?.[i] ?? own ?? crypto.randomUUID();
      const payload = { pageContent, metadata: metadata as Record<string, unknown> };
      this.index.add({ id, vector: Float32Array.from(vectors[i]!), text: pageContent, payload });
      return id;
    });
  }

  override async delete({ ids = [] }: { ids?: string[] } = {}): Promise<void> {
    for (const id of ids) this.index.remove(id);
  }

  async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: this['FilterType'],
  ): Promise<[Document, number][]> {
    const hits = this.index.nearest(Float32Array.from(query), { k, ...(filter && { filter }) });
    return hits.map(({ id, score, payload }) => [new Document({ ...payload!, id: String(id) }), score]);
  }
}
