// quintet/langchain: models and indexes of this package for LangChain.js (https://docs.langchain.com/oss/javascript).

export { ChatQuintet, type ChatQuintetCallOptions, type ChatQuintetFields } from './chat_model.js';
export { QuintetEmbeddings, type QuintetEmbeddingsFields } from './embeddings.js';
export { QuintetRerank, type QuintetRerankFields } from './reranker.js';
export { type DocumentPayload, QuintetVectorStore, type QuintetVectorStoreFields } from './vector_store.js';
