// The types of text generation.
/// <reference lib="esnext.disposable" preserve="true" />

import type { CommonLoadOptions, ModelFormat, ModelSource } from '../base/types.js';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A conversation is written as the model's chat template wants it; ids are taken as they are. */
export type Prompt = string | readonly number[] | readonly ChatMessage[];

export type ChatTemplate = 'llama-2' | 'llama-3' | 'mistral' | 'phi-3' | 'chatml';

export interface GeneratorLoadOptions extends CommonLoadOptions {
  /** Default: told by the first bytes. */
  format?: ModelFormat;
  /** What float weights become while they are read. Default 'none': they stay as the file has them. */
  quantize?: 'none' | 'int8' | 'int4';
  /**
   * Into memory with 64-bit addresses, where more than 4 GB fit and one thread computes. Default 'auto': where the model does
   * not fit otherwise. True is an error (UNSUPPORTED) where the engine has none.
   */
  memory64?: boolean | 'auto';
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
  /**
   * Tokens that were computed before the first choice. What the session, a loaded cache or a common begin with the last
   * prompt held already is not among them.
   */
  prefillTokens: number;
  prefillMs: number;
  decodeMs: number;
}

/**
 * A text in the making: it begins when its turn comes. It can be read once, as tokens or as a stream; leaving the loop or
 * cancelling the stream ends it, and a session then holds the tokens that were read. It is pulled: at most 8 tokens are made
 * ahead of the reader. `text()` and `finished` let it run to its end, and so does a call that waits behind it.
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

export interface PerplexityScore {
  perplexity: number;
  /** Tokens that were foreseen. */
  tokens: number;
}

export interface PerplexityOptions {
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** How a KV cache is written. Values of any type become `dtype` first; INT4 is made of those. */
export interface SaveCacheOptions {
  /** Default 'F32', which is exact where the generator's `kvCache` is 'f32', its default. */
  dtype?: 'F32' | 'F16' | 'BF16';
  /** Default 'none'. */
  compression?: 'none' | 'INT4';
  /** With INT4: 'packed', the default, takes about an eighth of F32; 'float' stores the rounded values as `dtype`. */
  layout?: 'packed' | 'float';
  /**
   * With INT4: values along a head that share a scale. It must divide the size of a head, or not be smaller: then a head
   * has one scale. Default 64, or what of 32 and 128 fits.
   */
  groupSize?: 32 | 64 | 128;
  /**
   * Also what the next choice of a token needs: the state of the random numbers after the session's last generation, and
   * the logits where they are computed. Default false.
   */
  sampler?: boolean;
  signal?: AbortSignal;
}

export interface LoadCacheOptions {
  /** Ids of the cached positions, for a file without `token_ids`. */
  tokens?: readonly number[];
  /** The next generation that names no `seed` goes on as the saved session would have. Default false. */
  sampler?: boolean;
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
  /**
   * What it holds as a safetensors file: keys, values, token ids and what tells the model (docs/kv-cache.md). Tokens that
   * were chosen and not computed are computed first.
   * @throws QuintetError INPUT where the options do not fit the model, or a value is too large for `dtype`
   */
  saveCache(options?: SaveCacheOptions): Promise<Uint8Array>;
  /**
   * The same of what it holds when its turn comes, made piece by piece as it is read. The session may go on meanwhile, and
   * takes the stream along when it is closed. What is wrong with the arguments comes back from reading it.
   */
  cacheStream(options?: SaveCacheOptions): ReadableStream<Uint8Array>;
  /**
   * Replaces what the session holds by a cache that this package, or Python, saved of the same model: nothing of it is
   * computed again. After an error the session is as it was before.
   * @throws QuintetError FORMAT for a broken file and one of another model; INPUT, MEMORY, IO, ABORTED
   */
  loadCache(source: ModelSource, options?: LoadCacheOptions): Promise<void>;
  /** How well the model foresees a text after what the session holds, which stays as it is. */
  perplexity(text: string | readonly number[], options?: PerplexityOptions): Promise<PerplexityScore>;
  /** A copy, without computing or copying anything. */
  fork(): Session;
  /** Forgets all but the first tokens. */
  rewind(length: number): void;
  close(): void;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
