// The calls from a TextGenerator and its sessions to their host.

import type { ChatDescription, FormattedChat } from '../chat/types.js';
import type { GrammarText } from '../grammar/source.js';
import type { Backend, CallContext, HostLoadOptions, LoadHost, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';
import type { GenerationSummary, PerplexityScore } from './types.js';

export interface GeneratorHostOptions extends HostLoadOptions {
  /** The options for native code as JSON: format, quantize, contextLength, kvCache. */
  settings: string;
}

export interface GeneratorDescription extends ModelDescription {
  contextLength: number;
}

export type PromptInput = { text: string } | { ids: Int32Array } | { chat: FormattedChat };

export interface GenerationRequest {
  prompt: PromptInput;
  /** Whether the prompt replaces the content of the session, or is appended to it. */
  replace: boolean;
  /** The options for native code as JSON. */
  sampling: string;
  /** The grammar that constrains the text. */
  grammar?: GrammarText;
  /** The adapters to use as JSON: [{ name, scale }]. Absent: none. */
  adapters?: string;
  /** Whether there is a logitsProcessor, which is asked before each token. */
  processed: boolean;
  /** Whether sessions of this kind share what they compute of the same prompt. */
  shares?: boolean;
  /** Whether tokens are guessed from the text and the grammar. */
  lookup: boolean | 'auto';
  /** Whether there is a draft model, which is asked for guesses. */
  drafts: boolean;
}

/** Progress in the prompt, in tokens. */
export interface GenerationEvent {
  prefilled: number;
  total: number;
}

/** Asked for the logitsProcessor. The answer is the edited logits. */
export interface LogitsQuestion {
  logits: Float32Array;
  /** Tokens in the session; only with the first question. */
  held?: Int32Array;
}

/**
 * Asks which tokens may follow those of the session, according to the draft model. The answer is at most `count` ids.
 */
export interface DraftQuestion {
  ids: Int32Array;
  count: number;
}

/**
 * Called at the end to confirm that all events and tokens were handled without an exception. Any answer confirms it.
 */
export type FinalQuestion = 'heard';

export interface GenerationResult extends GenerationSummary {
  /** Tokens in the session afterwards. */
  held: Int32Array;
}

/** Sessions are numbered by the caller. Session 0 is the generator's own, created on first use. */
export interface GeneratorCalls {
  tokenize(watch: CallContext, text: string, addBos: boolean, parseSpecial: boolean): Promise<Int32Array>;
  countTokens(watch: CallContext, text: string, addBos: boolean, parseSpecial: boolean): Promise<number>;
  detokenize(watch: CallContext, ids: Int32Array): Promise<string>;
  tokenTexts(watch: CallContext, ids: Int32Array): Promise<string[]>;
  chat(watch: CallContext): Promise<ChatDescription>;
  encodeChat(watch: CallContext, chat: FormattedChat): Promise<Int32Array>;
  /** Ids of the texts that are special tokens, for which generations have no text; -1 for others. */
  specialTokens(watch: CallContext, texts: readonly string[]): Promise<Int32Array>;

  /** Loads an adapter from the files of the call. One with the same name is replaced. */
  loadAdapter(watch: CallContext, name: string): Promise<void>;
  unloadAdapter(watch: CallContext, name: string): Promise<void>;

  createSession(watch: CallContext, session: number): Promise<void>;
  forkSession(watch: CallContext, session: number, from: number): Promise<void>;
  closeSession(watch: CallContext, session: number): Promise<void>;
  rewind(watch: CallContext, session: number, length: number): Promise<void>;
  /** Logits of the token after the content of the session. */
  nextLogits(watch: CallContext, session: number): Promise<Float32Array>;
  /** The content of the session as a KV cache file. `options`: SaveCacheOptions without signal, as JSON. */
  saveCache(watch: CallContext, session: number, options: string): Promise<Uint8Array>;
  /** Begins to save a KV cache piece by piece. The caller numbers the writers. */
  openCache(watch: CallContext, session: number, writer: number, options: string): Promise<void>;
  /** Empty at the end. */
  nextCachePiece(watch: CallContext, session: number, writer: number): Promise<Uint8Array>;
  /** Does nothing if the writer is not open. */
  closeCache(watch: CallContext, session: number, writer: number): Promise<void>;
  /**
   * Replaces the content of the session with the file of the call. Returns its tokens. `options`: JSON { tokens?,
   * sampler? }.
   */
  loadCache(watch: CallContext, session: number, options: string): Promise<Int32Array>;
  /**
   * Sends the tokens as items and GenerationEvents, asks LogitsQuestions if `processed`, DraftQuestions if there are
   * `drafts`, and ends when all tokens were read. An abort is a normal result. If the reader stops early, the session
   * keeps only the tokens that were read. After an error, or an abort of the prompt, it is as before. The generator's
   * own session keeps what was computed instead.
   */
  generate(watch: CallContext, session: number, request: GenerationRequest): Promise<GenerationResult>;

  /** Logits after the last id or, with `all`, after every id, row by row. */
  logits(watch: CallContext, ids: Int32Array, all: boolean): Promise<Float32Array>;
  /** Sends events [done, total], in tokens. */
  perplexity(watch: CallContext, prompt: PromptInput): Promise<PerplexityScore>;
  /** The perplexity of a text after the content of the session. Sends the same events. */
  perplexityAfter(watch: CallContext, session: number, prompt: PromptInput): Promise<PerplexityScore>;
}

export type GeneratorBackend = Backend<GeneratorCalls, GeneratorDescription>;
export type GeneratorHandle = ModelHandle<GeneratorCalls, GeneratorDescription>;
export type LoadGeneratorHost = LoadHost<GeneratorCalls, GeneratorDescription, GeneratorHostOptions>;
