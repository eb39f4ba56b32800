// The types of text generation.
/// <reference lib="esnext.disposable" preserve="true" />

import type { LoadOptions } from './types.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A conversation is written as the model's chat template wants it; ids are taken as they are. */
export type Prompt = string | readonly number[] | readonly ChatMessage[];

export type ChatTemplate = 'llama-2' | 'llama-3' | 'mistral' | 'phi-3' | 'chatml';

export interface GeneratorLoadOptions extends LoadOptions {
  /** Most tokens that a session holds. Default: what the model was made for, or what of it fits the memory, 4096 at least. */
  contextLength?: number;
  /** What keys and values of past tokens are stored as. Default 'f32'. */
  kvCache?: 'f32' | 'f16' | 'int8' | 'int4';
}

export interface GenerateOptions {
  /** Default 256, and never more than the context has room for. */
  maxTokens?: number;
  /** 0: always the most probable token. Default 0.8. */
  temperature?: number;
  /** Only the so many most probable tokens; 0: all. Default 40. */
  topK?: number;
  /** Only the most probable tokens that have this probability together. 1: all. Default 0.95. */
  topP?: number;
  /** Only tokens with at least this part of the best one's probability. Default 0: all. */
  minP?: number;
  /** Above 1: tokens that occurred become less probable. Default 1. */
  repetitionPenalty?: number;
  /** Taken from a token's logit for every time that it occurred. Default 0. */
  frequencyPenalty?: number;
  /** Taken from the logit of every token that occurred. Default 0. */
  presencePenalty?: number;
  /** The same seed gives the same text. Default: another one each time. */
  seed?: number;
  /** Texts that end the generation; they are not given themselves. */
  stop?: readonly string[];
  /** Gives each token's log probability and those of the so many most probable ones. */
  logprobs?: number;
  /** The template of a conversation, where it is not that of the model's file. */
  chatTemplate?: ChatTemplate;
  /** An abort ends the generation: what was made until then counts. */
  signal?: AbortSignal;
  /**
   * Edits the logits of the next token in place. `tokens`: all that the model has seen, prompt included. What it throws
   * ends the generation and comes back from it.
   */
  logitsProcessor?(logits: Float32Array, tokens: readonly number[]): void;
  /** Called while the prompt is computed, with numbers of tokens. */
  onPrefill?(done: number, total: number): void;
}

export interface TokenProbability {
  id: number;
  text: string;
  logprob: number;
}

/** A step of a generation. */
export interface Token {
  /** -1 where no token was chosen: then `text` is what was held back because a stop text could have begun there. */
  id: number;
  /** Whole characters. Empty where a character is incomplete, a stop text may begin, or the token has no text. */
  text: string;
  /** Natural logarithm of its probability before the sampling options, with `logprobs`. */
  logprob?: number;
  /** The most probable tokens, best first, with `logprobs` above 0. */
  top?: TokenProbability[];
}

export interface GenerationSummary {
  /** A text of `stop`, as many tokens as there may be, a token of end, or an abort. */
  reason: 'stop' | 'length' | 'eos' | 'abort';
  promptTokens: number;
  /** Tokens that were chosen. */
  tokens: number;
  prefillMs: number;
  decodeMs: number;
}

/**
 * A text in the making: it begins when its turn comes, whether it is read or not. It can be read once, as tokens or
 * as a stream, early or late; leaving the loop or cancelling the stream ends it.
 */
export interface Generation extends AsyncIterable<Token> {
  /** The whole text. An abort does not make it fail: it ends the text. */
  text(): Promise<string>;
  /** The text in pieces that never split a character. */
  toReadableStream(): ReadableStream<string>;
  readonly finished: Promise<GenerationSummary>;
}

export interface TokenizeOptions {
  /** Begin with the token of begin, where the model wants one. Default true. */
  addBos?: boolean;
  /** Special tokens that the text spells out become their ids. Default false. */
  parseSpecial?: boolean;
}

export interface LogitsOptions {
  /** Logits of every position, row by row, instead of the last one's. */
  all?: boolean;
  signal?: AbortSignal;
}

export interface PerplexityOptions {
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** What a model has seen, with the computations that belong to it: the next text continues it. */
export interface Session {
  /** Number of tokens after the calls that are done. */
  readonly length: number;
  /** Those tokens. */
  readonly tokens: Int32Array;
  /** Logits of the token that would come next. */
  logits(): Promise<Float32Array>;
  /**
   * Continues after what the session holds. A conversation replaces that: what both have in common at the begin is not
   * computed again.
   */
  generate(prompt: Prompt, options?: GenerateOptions): Generation;
  /** A copy, without computing or copying anything. */
  fork(): Session;
  /** Forgets all but the first tokens. */
  rewind(length: number): void;
  close(): void;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
