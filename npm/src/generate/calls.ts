// What a TextGenerator and its sessions ask of the model behind them.

import type { Backend, CallWatch, HostLoadOptions, LoadHost, MethodTable, ModelDescription } from '../remote/calls.js';
import type { ModelHandle } from '../remote/model_handle.js';
import type { ChatMessage, GenerationSummary, PerplexityScore } from './types.js';

export interface GeneratorHostOptions extends HostLoadOptions {
  /** JSON of the options that native code knows: format, quantize, contextLength, kvCache. */
  settings: string;
}

export interface GeneratorDescription extends ModelDescription {
  contextLength: number;
}

export type PromptInput =
  | { text: string }
  | { ids: Int32Array }
  | { messages: readonly ChatMessage[]; template: string };

export interface GenerationRequest {
  prompt: PromptInput;
  /** The session's content becomes the prompt; else the prompt comes behind it. */
  replace: boolean;
  /** JSON of the options that native code knows. */
  sampling: string;
  /** Whether the logits are asked for before each token. */
  processed: boolean;
}

/** Tokens of the prompt. */
export interface GenerationEvent {
  prefilled: number;
  total: number;
}

/** The answer: the edited logits. */
export interface LogitsQuestion {
  logits: Float32Array;
  /** With the first question: all that the session holds. */
  held?: Int32Array;
}

export interface GenerationResult extends GenerationSummary {
  /** What the session holds now. */
  held: Int32Array;
}

/** Sessions are numbered by the caller; 0 is the generator's own and there from the first use on. */
export interface GeneratorCalls {
  tokenize(watch: CallWatch, text: string, addBos: boolean, parseSpecial: boolean): Promise<Int32Array>;
  countTokens(watch: CallWatch, text: string, addBos: boolean, parseSpecial: boolean): Promise<number>;
  detokenize(watch: CallWatch, ids: Int32Array): Promise<string>;
  tokens(watch: CallWatch, ids: Int32Array): Promise<string[]>;

  createSession(watch: CallWatch, session: number): Promise<void>;
  forkSession(watch: CallWatch, session: number, from: number): Promise<void>;
  closeSession(watch: CallWatch, session: number): Promise<void>;
  rewind(watch: CallWatch, session: number, length: number): Promise<void>;
  /** After what the session holds. */
  nextLogits(watch: CallWatch, session: number): Promise<Float32Array>;
  /** A KV cache file of what the session holds; `options`: JSON of SaveCacheOptions without signal. */
  saveCache(watch: CallWatch, session: number, options: string): Promise<Uint8Array>;
  /** The same, made piece by piece. Writers are numbered by the caller. */
  openCache(watch: CallWatch, session: number, writer: number, options: string): Promise<void>;
  /** Empty at the end. */
  nextCachePiece(watch: CallWatch, session: number, writer: number): Promise<Uint8Array>;
  /** Where it was opened. */
  closeCache(watch: CallWatch, session: number, writer: number): Promise<void>;
  /** Replaces what the session holds by the file of the call, and gives its tokens. `options`: JSON { tokens?, sampler? }. */
  loadCache(watch: CallWatch, session: number, options: string): Promise<Int32Array>;
  /**
   * Gives the tokens, and ends when they are read. Asks a LogitsQuestion where `processed`; tells GenerationEvents. An abort is
   * a result. Of a reader that leaves early the session keeps the tokens that were read.
   */
  generate(watch: CallWatch, session: number, request: GenerationRequest): Promise<GenerationResult>;

  /** After the last of these ids, or after all of them row by row. */
  logits(watch: CallWatch, ids: Int32Array, all: boolean): Promise<Float32Array>;
  /** Tells [done, total] in tokens. */
  perplexity(watch: CallWatch, prompt: PromptInput): Promise<PerplexityScore>;
  /** The same after what the session holds. */
  perplexityAfter(
    watch: CallWatch,
    session: number,
    prompt: PromptInput,
  ): Promise<PerplexityScore>;
}

export const generatorMethods: MethodTable<GeneratorCalls> = {
  tokenize: true,
  countTokens: true,
  detokenize: true,
  tokens: true,
  createSession: true,
  forkSession: true,
  closeSession: true,
  rewind: true,
  nextLogits: true,
  saveCache: true,
  openCache: true,
  nextCachePiece: true,
  closeCache: true,
  loadCache: true,
  generate: true,
  logits: true,
  perplexity: true,
  perplexityAfter: true,
};

export type GeneratorBackend = Backend<GeneratorCalls, GeneratorDescription>;
export type GeneratorHandle = ModelHandle<GeneratorCalls, GeneratorDescription>;
export type LoadGeneratorHost = LoadHost<GeneratorCalls, GeneratorDescription, GeneratorHostOptions>;
