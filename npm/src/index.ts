// The public API, in browsers and in Node.

import type { EmbedderLoadOptions } from './embed/options.js';
import type { GeneratorLoadOptions } from './generate/types.js';

export { type ErrorCode, type ErrorDetails, type ErrorReason, QuintetError } from './base/errors.js';
export type { Fallback, FallbackCode } from './base/fallbacks.js';
export type { StandardOutput, StandardResult, StandardSchema } from './base/standard_schema.js';
export type {
  CommonLoadOptions,
  HubOptions,
  LoadedModelInfo,
  LoadProgress,
  MemoryUse,
  ModelFolder,
  ModelFormat,
  ModelInfo,
  ModelInput,
  ModelSource,
  ReadOptions,
  RuntimeInfo,
  TensorInfo,
  WasmSource,
} from './base/types.js';
export { type Capabilities, capabilities } from './capabilities.js';
export type {
  AnswerPart,
  AppliedChatTemplate,
  ChatMessage,
  ChatTemplateOptions,
  ToolCall,
  ToolCallPart,
  ToolDefinition,
} from './chat/types.js';
export { ImageClassifier } from './classify/image_classifier.js';
export type {
  Classification,
  ClassifierLoadOptions,
  ClassifyBatchOptions,
  ClassifyOptions,
} from './classify/types.js';
export { convert } from './convert/convert.js';
export type { ConvertOptions, ConvertProgress, MergedAdapter, Quantization } from './convert/options.js';
export { Embedder } from './embed/embedder.js';
export type {
  EmbedderChunkOptions,
  EmbedderLoadOptions,
  EmbedOptions,
  Encoding,
  Pooling,
  PromptOptions,
  SparseVector,
  TextRole,
  TokenEmbedOptions,
  TokenVectors,
  VectorKind,
} from './embed/options.js';
export type { Chat, ChatOptions, ChatTool, SentMessages, ToolArguments, ToolContext } from './generate/chat/types.js';
export { TextGenerator } from './generate/text_generator.js';
export type {
  AdapterLoadOptions,
  AdapterUse,
  DraftModel,
  GenerateManyOptions,
  GenerateOptions,
  Generation,
  GenerationSummary,
  GeneratorLoadOptions,
  InfillPrompt,
  KvType,
  LoadCacheOptions,
  LogitsOptions,
  PerplexityOptions,
  PerplexityScore,
  Prompt,
  SaveCacheOptions,
  Session,
  Token,
  TokenizeOptions,
  TokenProbability,
} from './generate/types.js';
export { compileGrammar } from './grammar/compile_grammar.js';
export type { Grammar, GrammarSource, JsonSchema } from './grammar/types.js';
export { ImageEmbedder } from './image_embed/image_embedder.js';
export type {
  ImageEmbedderLoadOptions,
  ImageEmbedOptions,
  ImageStreamOptions,
  ScoredLabel,
  Tower,
  ZeroShotOptions,
} from './image_embed/types.js';
export type { ImageInput, PreparedImage, RawImage } from './images/types.js';
export { inspect, readTensor, validate } from './inspect/inspect.js';
export type { InspectOptions, PlannedLoad, TensorValues } from './inspect/options.js';
export type { Entity, EntityOptions, LabelInput, LabelLoadOptions, LabelOptions, TextLabel } from './label/options.js';
export { TextClassifier } from './label/text_classifier.js';
export { TokenClassifier } from './label/token_classifier.js';
export type { RankedText, RankOptions, RerankerLoadOptions, ScoreOptions } from './rerank/options.js';
export { Reranker } from './rerank/reranker.js';
export type { SaveIndexOptions } from './search/index_file.js';
export type { MergeOptions } from './search/merge.js';
export { SearchIndex } from './search/search_index.js';
export type {
  AddImagesOptions,
  AddTextsOptions,
  BuildIndexOptions,
  IndexEmbedder,
  IndexEmbedOptions,
  IndexImageEmbedder,
  IndexPrompts,
  IndexReranker,
  LoadIndexOptions,
  NearestOptions,
  SearchIndexOptions,
  SearchOptions,
} from './search/search_options.js';
export type { EntryId, ImageEntry, IndexEntry, SearchHit, TextEntry } from './search/types.js';
export { type CachedModel, type ModelCache, modelCache } from './sources/cache/model_cache.js';
export { type ChunkOptions, chunkText, type TextChunk } from './text/chunk_text.js';
export type {
  DecodeOptions,
  EncodedPair,
  EncodeOptions,
  EncodePairOptions,
  TokenizerLoadOptions,
} from './tokenize/options.js';
export { Tokenizer } from './tokenize/tokenizer.js';

/** The options of all `load` methods together. Each class has its own type with the options that it accepts. */
export interface LoadOptions
  extends Omit<EmbedderLoadOptions, 'quantize'>,
    Pick<GeneratorLoadOptions, 'memory64' | 'quantize'> {}
