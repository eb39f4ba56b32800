// The public API, in browsers and in Node.

export { capabilities, type Capabilities } from './capabilities.js';
export { chunkText, type ChunkOptions, type TextChunk } from './chunk_text.js';
export type {
  Classification,
  ClassifierLoadOptions,
  ClassifyBatchOptions,
  ClassifyOptions,
} from './classifier_types.js';
export { convert } from './convert.js';
export { Embedder, type Encoding } from './embedder.js';
export { QuintetError, type ErrorCode, type ErrorDetails, type ErrorReason } from './errors.js';
export type { TensorValues } from './file_functions.js';
export { ImageClassifier } from './image_classifier.js';
export { inspect, readTensor, validate } from './inspect.js';
export type {
  ChatMessage,
  ChatTemplate,
  GenerateOptions,
  Generation,
  GenerationSummary,
  GeneratorLoadOptions,
  LoadCacheOptions,
  LogitsOptions,
  PerplexityOptions,
  Prompt,
  SaveCacheOptions,
  Session,
  Token,
  TokenizeOptions,
  TokenProbability,
} from './generator_types.js';
export type { MemoryUse } from './memory_gauge.js';
export { modelCache, type CachedModel, type ModelCache } from './model_cache.js';
export { SearchIndex, type SearchHit, type SearchIndexOptions, type SearchOptions } from './search_index.js';
export type { SaveIndexOptions } from './search_index_file.js';
export type { MergeOptions } from './search_index_merge.js';
export { TextGenerator } from './text_generator.js';
export type {
  ConvertOptions,
  ConvertProgress,
  EmbedOptions,
  ImageInput,
  LoadedModelInfo,
  LoadOptions,
  LoadProgress,
  ModelFolder,
  ModelFormat,
  ModelInfo,
  ModelSource,
  Quantization,
  RawImage,
  RuntimeInfo,
  TensorInfo,
} from './types.js';
