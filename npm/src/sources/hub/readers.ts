// What each class and function reads of a repository.

import { configFile, textFiles, vocabularyFiles } from '../bytes/folder_files.js';

/** Files in which a model can be. The first kind that a repository has is taken. */
export type WeightKind = 'safetensors' | 'gguf' | 'own' | 'none';

export interface ReaderRow {
  /** For messages. */
  who: string;
  kinds: readonly WeightKind[];
  /** Endings of files in quintet's own formats that it reads. */
  own: readonly string[];
  /** Names of the files that are read next to safetensors, where they are there. */
  beside: readonly string[];
  /** Whether chat templates in files of their own are read too. */
  hasTemplates?: boolean;
  /** Whether the model may have several modules, as those of Sentence Transformers. */
  hasModules?: boolean;
  /** Whether the model must be one file. */
  isSingle?: boolean;
  /** Whether only parts of the weights are read. */
  isPartial?: boolean;
}

const model = [configFile, ...textFiles];

const sentenceTransformers = { beside: model, hasModules: true };

export const readers = {
  embedder: { who: 'Embedder', kinds: ['safetensors', 'gguf', 'own'], own: ['.weights'], ...sentenceTransformers },
  reranker: { who: 'Reranker', kinds: ['safetensors', 'gguf'], own: [], ...sentenceTransformers },
  generator: { who: 'TextGenerator', kinds: ['safetensors', 'gguf', 'own'], own: ['.amb', '.alt'], beside: model, hasTemplates: true },
  classifier: { who: 'ImageClassifier', kinds: ['own'], own: ['.tinyruntime'], beside: [], isSingle: true },
  tokenizer: { who: 'Tokenizer', kinds: ['none', 'gguf', 'own'], own: ['.amb', '.alt', '.weights'], beside: model, hasTemplates: true, isPartial: true },
  inspect: {
    who: 'inspect', kinds: ['gguf', 'safetensors', 'own'], own: ['.amb', '.alt', '.weights', '.tinyruntime'], beside: [],
    isSingle: true, isPartial: true,
  },
  file: {
    who: 'validate and readTensor', kinds: ['gguf', 'safetensors', 'own'], own: ['.amb', '.alt', '.weights', '.tinyruntime'],
    beside: [], isSingle: true,
  },
  convert: {
    who: 'convert', kinds: ['safetensors', 'gguf', 'own'], own: ['.amb', '.alt', '.weights', '.tinyruntime'], ...sentenceTransformers,
  },
  /** Whatever any of them reads. */
  pull: {
    who: 'quintet', kinds: ['safetensors', 'gguf', 'own'], own: ['.amb', '.alt', '.weights', '.tinyruntime'], ...sentenceTransformers,
    hasTemplates: true,
  },
} satisfies Record<string, ReaderRow>;

export type Reader = keyof typeof readers;

/** Whether these files hold a tokenizer. */
export const hasVocabulary = (paths: readonly string[]): boolean => vocabularyFiles.some((name) => paths.includes(name));
