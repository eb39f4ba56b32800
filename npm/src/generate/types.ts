// The types of text generation.
/// <reference lib="esnext.disposable" preserve="true" />

import type { StandardOutput, StandardSchema } from '../base/standard_schema.js';
import type { CommonLoadOptions, HubOptions, LoadedModelInfo, ModelFormat, ModelSource } from '../base/types.js';
import type { AnswerPart, ChatMessage, ChatTemplateOptions, ToolCall } from '../chat/types.js';
import type { Grammar, JsonSchema } from '../grammar/types.js';

/** A text, token ids (used unchanged), or a conversation, which is formatted with the model's chat template. */
export type Prompt = string | readonly number[] | readonly ChatMessage[] | InfillPrompt;

/**
 * The texts before and after a hole, which the answer fills. The model needs special tokens for that, as code models
 * have them; without any it is an error (UNSUPPORTED).
 */
export interface InfillPrompt {
  prefix: string;
  suffix: string;
}

/** Options of `TextGenerator.load`. */
export interface GeneratorLoadOptions extends CommonLoadOptions {
  /** Format of the file. Default: detected from its first bytes. */
  format?: ModelFormat;
  /** Quantize float weights while they are read. Default 'none': keep the types of the file. */
  quantize?: 'none' | 'int8' | 'int4';
  /**
   * Load into 64-bit WebAssembly memory, which can be larger than 4 GB but has only one compute thread. Default 'auto':
   * if the model does not fit otherwise. `true` is an error (UNSUPPORTED) if the engine has no 64-bit memory.
   */
  memory64?: boolean | 'auto';
  /**
   * Maximum number of tokens of a session. Default: the model's own context length, reduced if it does not fit memory,
   * but not below 4096.
   */
  contextLength?: number;
  /** Data type of the KV cache, or those of its keys and its values. Default 'f32'. */
  kvCache?: KvType | { keys?: KvType; values?: KvType };
}

/** The type of stored keys and values. */
export type KvType = 'f32' | 'f16' | 'int8' | 'int4';

/** A `TextGenerator` as the option `draft`. */
export interface DraftModel {
  readonly info: LoadedModelInfo;
  /** Maximum number of tokens of a session. */
  readonly contextLength: number;
  createSession(): Session;
}

/** Options of `loadAdapter`. */
export interface AdapterLoadOptions {
  /** Access to models on the Hugging Face Hub. */
  hub?: HubOptions;
  signal?: AbortSignal;
}

/** An adapter that a generation uses. */
export interface AdapterUse {
  /** The name that `loadAdapter` gave it. */
  name: string;
  /** Factor of the adapter's contribution. Default 1. */
  scale?: number;
}

/** Options of `generate`. */
export interface GenerateOptions {
  /** Maximum number of tokens to generate. Default 256; the context length is an upper limit. */
  maxTokens?: number;
  /** Higher values are more random; 0 always picks the most probable token. Default 0.8. */
  temperature?: number;
  /** Sample only from this many most probable tokens; 0: all. Default 40. */
  topK?: number;
  /** Sample only from the most probable tokens whose probabilities add up to this value; 1: all. Default 0.95. */
  topP?: number;
  /** Sample only from tokens with at least this fraction of the highest probability; 0: all. Default 0. */
  minP?: number;
  /** Above 1, makes tokens that already occurred less probable. Default 1: off. */
  repetitionPenalty?: number;
  /** Subtracted from the logit of a token once for each occurrence. Default 0. */
  frequencyPenalty?: number;
  /** Subtracted from the logit of every token that already occurred. Default 0. */
  presencePenalty?: number;
  /** Number of tokens that the three penalties look back at; 0: none. Default: all of the session. */
  repeatLastN?: number;
  /**
   * DRY: above 0, tokens that would continue a repeated sequence are less probable. If the last n tokens, at least
   * `dryAllowedLength`, occurred before, `dryMultiplier` * `dryBase`^(n - `dryAllowedLength`) is subtracted from the
   * logit of what followed them. Default 0: off; 0.8 is usual.
   */
  dryMultiplier?: number;
  /** Default 1.75; at least 1. */
  dryBase?: number;
  /** Shorter sequences may be repeated. Default 2, in tokens. */
  dryAllowedLength?: number;
  /** Number of tokens that DRY looks back at. Default: all of the session. */
  dryPenaltyLastN?: number;
  /** Texts at which repeated sequences end. Default a newline, `:`, `"` and `*`. At most 64. */
  drySequenceBreakers?: readonly string[];
  /**
   * XTC: the probability with which the most probable tokens are left out: all that reach `xtcThreshold` but the least
   * probable of them. Default 0: off.
   */
  xtcProbability?: number;
  /** A probability; above 0.5 nothing is left out. Default 0.1. */
  xtcThreshold?: number;
  /** The same seed gives the same text. Default: a new random seed for each call. */
  seed?: number;
  /**
   * The adapters with which the prompt and the answer are computed, added to each other. Default: none. What a session
   * holds stays as it was computed; a prompt that replaces it reuses only what was computed with the same adapters.
   */
  adapters?: readonly AdapterUse[];
  /** Strings that end the generation. They are not part of the output. At most 64. */
  stop?: readonly string[];
  /**
   * Report each token's log probability and those of this many most probable tokens, 0 to 20. Default: not reported.
   */
  logprobs?: number;
  /** The format of the conversation in the prompt. */
  chat?: ChatTemplateOptions;
  /**
   * In a conversation: the most tokens of thought before the answer. Then the text that ends thoughts is written in the
   * model's place; it may end them earlier. Default: no limit.
   */
  reasoningBudget?: number;
  /**
   * Whether the model may call the tools of `chat`. Default 'auto'; 'none' hides them from the model. With 'required'
   * or a name the answer is one call, of any tool or of this one, with arguments that match its `parameters`.
   */
  toolChoice?: 'auto' | 'none' | 'required' | { name: string };
  /**
   * The type of integers beyond 2^53 - 1 in the arguments of tool calls and in `json()`. Default 'number', which rounds
   * them; with 'bigint' they are exact.
   */
  largeIntegers?: 'number' | 'bigint';
  /**
   * The text matches this grammar, in GBNF or compiled by `compileGrammar`, unless it ends with the reason 'length' or
   * 'abort', or with a `stop` string.
   */
  grammar?: string | Grammar;
  /**
   * The text is JSON that matches this JSON schema or Standard Schema (zod, valibot, ArkType), with the same exceptions
   * as for `grammar`, which cannot be given as well; `true` allows any JSON object. Nothing is added to the prompt.
   */
  jsonSchema?: JsonSchema | StandardSchema;
  /** Added to the logits of these token ids; -Infinity forbids a token. */
  logitBias?: Readonly<Record<number, number>>;
  /**
   * A smaller model with the same tokens. It guesses the next ones, which this model verifies together: the text is the
   * same, and sooner there if most guesses are right. INPUT if the vocabularies differ; its errors are those of this
   * call. Has no effect together with `logitsProcessor`.
   */
  draft?: DraftModel;
  /**
   * Guess that tokens follow which followed the same ones before, in the prompt or the answer, and those that `grammar`
   * or `jsonSchema` leave. The text is the same. Default 'auto': where it was measured to be faster, and while no other
   * session of the model computes. `true`: at every repetition. Has no effect together with `logitsProcessor`.
   */
  promptLookup?: boolean | 'auto';
  /** An abort ends the generation normally: the text so far is the result. */
  signal?: AbortSignal;
  /**
   * Edits the logits of the next token, [vocabulary size], in place. `tokens` are all tokens so far, including the
   * prompt. If it throws, the generation ends and rejects with that exception.
   */
  logitsProcessor?(logits: Float32Array, tokens: readonly number[]): void;
  /** Called while the prompt is computed, with numbers of tokens. */
  onPrefill?(done: number, total: number): void;
}

/** Options of `generateMany`, for each of the prompts. */
export interface GenerateManyOptions extends GenerateOptions {
  /**
   * The number of texts that `generateMany` generates at once, 1 to 64; the others wait. Each needs memory for its keys
   * and values. Default 8.
   */
  concurrency?: number;
}

/** A token that could have been chosen. */
export interface TokenProbability {
  id: number;
  text: string;
  /** Natural logarithm of its probability. */
  logprob: number;
}

/** One step of a generation. */
export interface Token {
  /**
   * -1 if no token was chosen: `text` is then text that was held back because it could have been the start of a stop
   * string, or of a call of a tool.
   */
  id: number;
  /**
   * Whole characters. Empty while a character is incomplete or a stop string may be starting, and for tokens without
   * text.
   */
  text: string;
  /** With the option `logprobs`: natural logarithm of the token's probability, before sampling options. */
  logprob?: number;
  /** With `logprobs` above 0: the most probable tokens, best first. */
  top?: TokenProbability[];
}

/** Statistics of a finished generation. */
export interface GenerationSummary {
  /** Why it ended: a stop string, the limit of tokens, an end-of-sequence token, or an abort. */
  reason: 'stop' | 'length' | 'eos' | 'abort';
  /** Number of tokens of the prompt. */
  promptTokens: number;
  /** Number of generated tokens. */
  tokens: number;
  /**
   * The number of tokens that were guessed, by `promptLookup` or `draft`, and took no extra pass. Absent if there were
   * none.
   */
  guessed?: number;
  /**
   * Number of prompt tokens that were computed: without those already in the session, in a loaded cache, or in the
   * common prefix with the last prompt.
   */
  prefillTokens: number;
  /** Milliseconds spent on the prompt. */
  prefillMs: number;
  /** Milliseconds spent on generating tokens, without waiting for the reader. */
  decodeMs: number;
  /** The calls that the model asks for, in a conversation with `tools`. The text does not contain them. */
  toolCalls?: ToolCall[];
  /** The model's thoughts before its answer, in a conversation. The text does not contain them. */
  reasoning?: string;
  /** Calls that the model wrote in a form that cannot be read. The text contains them. */
  unparsedToolCalls?: string[];
}

/**
 * A running generation. It starts after earlier calls are done, and can be read once: as tokens, with `for await`, as
 * parts, or as a stream of text. Breaking out of the loop or cancelling the stream ends it, and a session then contains
 * the tokens that were read. At most 8 tokens are generated ahead of the reader; `text()`, `finished` and any later
 * call let it run to the end.
 */
export interface Generation<T = unknown> extends AsyncIterable<Token> {
  /** The whole text. If the generation is aborted, the text so far. */
  text(): Promise<string>;
  /**
   * The value of the text, which is JSON with the option `jsonSchema`: of the type that a Standard Schema gives it, or
   * `generate<Answer>(…)`. A Standard Schema also validates the value.
   * @throws QuintetError INPUT if the text is not valid JSON, for example because `maxTokens` cut it, or if the schema
   * rejects the value
   */
  json(): Promise<T>;
  /**
   * The answer in parts as they come. Their texts, joined by type, are the text and the `reasoning` of `finished`;
   * those of a call, joined by `index`, are its arguments as JSON. A call streams before it is certain that it can be
   * read: a part that is `discarded` revokes it. Without a conversation all parts are text.
   */
  parts(): AsyncIterable<AnswerPart>;
  /** The text as a stream of strings that never split a character. */
  toReadableStream(): ReadableStream<string>;
  /** Resolves when the generation ends. */
  readonly finished: Promise<GenerationSummary>;
}

/** Options of `tokenize` and `countTokens`. */
export interface TokenizeOptions {
  /** Add the beginning-of-sequence token, if the model uses one. Default true. */
  addBos?: boolean;
  /** Parse special tokens written out in the text. Default false. */
  parseSpecial?: boolean;
}

/** Options of `TextGenerator.logits`. */
export interface LogitsOptions {
  /** Return the logits of every position, row by row, instead of only the last. Default false. */
  all?: boolean;
  signal?: AbortSignal;
}

/** Result of `perplexity`. */
export interface PerplexityScore {
  perplexity: number;
  /** Number of predicted tokens. */
  tokens: number;
}

/** Options of `perplexity`. */
export interface PerplexityOptions {
  /** Called with numbers of tokens. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** Options of `saveCache` and `cacheStream`. Values are converted to `dtype` first, and then to INT4 if requested. */
export interface SaveCacheOptions {
  /** Default 'F32', which is lossless if the generator's `kvCache` is 'f32', the default. */
  dtype?: 'F32' | 'F16' | 'BF16';
  /** Default 'none'. */
  compression?: 'none' | 'INT4';
  /** With INT4: 'packed', the default, takes about an eighth of F32; 'float' stores the rounded values as `dtype`. */
  layout?: 'packed' | 'float';
  /**
   * With INT4: number of values of a head that share a scale. It must divide the head size, or be at least as large:
   * each head then has one scale. Default 64, or whichever of 32 and 128 fits.
   */
  groupSize?: 32 | 64 | 128;
  /**
   * Also save the state for choosing the next token: the random state after the session's last generation and, if
   * already computed, the logits. Default false.
   */
  sampler?: boolean;
  signal?: AbortSignal;
}

/** Options of `loadCache`. */
export interface LoadCacheOptions {
  /** Token ids of the cached positions, for a file without `token_ids`. */
  tokens?: readonly number[];
  /** Continue the next generation without a `seed` exactly as the saved session would have. Default false. */
  sampler?: boolean;
  signal?: AbortSignal;
}

/** A conversation or text with its KV cache. The next text continues it without computing it again. */
export interface Session {
  /** Number of tokens after the completed calls. */
  readonly length: number;
  /** These tokens, as a copy. */
  readonly tokens: Int32Array;
  /** Logits of the next token: [vocabulary size]. */
  logits(): Promise<Float32Array>;
  /**
   * Continues the content of the session with a text or token ids. A conversation replaces the content instead; the
   * common prefix of both is not computed again. Invalid arguments do not throw here: reading the result rejects with
   * INPUT. After an error the session is unchanged.
   */
  generate<S extends StandardSchema>(
    prompt: Prompt,
    options: GenerateOptions & { jsonSchema: S },
  ): Generation<StandardOutput<S>>;
  generate<T = unknown>(prompt: Prompt, options?: GenerateOptions): Generation<T>;
  /**
   * Saves the session as a safetensors file: keys, values, token ids and the identity of the model (docs/kv-cache.md).
   * Tokens that were chosen but not yet computed are computed first.
   * @throws QuintetError INPUT if the options do not fit the model or a value is too large for `dtype`
   */
  saveCache(options?: SaveCacheOptions): Promise<Uint8Array>;
  /**
   * Like `saveCache`, as a stream that is produced while it is read. It contains the session as of this call's turn,
   * even if the session continues meanwhile. Closing the session ends the stream. Invalid arguments are errors of the
   * stream.
   */
  cacheStream(options?: SaveCacheOptions): ReadableStream<Uint8Array>;
  /**
   * Replaces the content of the session with a cache that was saved for the same model by this package or by Python.
   * None of it is computed again. After an error the session is unchanged.
   * @throws QuintetError FORMAT for a damaged file or one of another model; INPUT, MEMORY, IO, ABORTED
   */
  loadCache(source: ModelSource, options?: LoadCacheOptions): Promise<void>;
  /** Perplexity of a text after the content of the session, which does not change. */
  perplexity(text: string | readonly number[], options?: PerplexityOptions): Promise<PerplexityScore>;
  /** A copy that shares the cached values: nothing is computed or copied. */
  fork(): Session;
  /** Drops all but the first `length` tokens. */
  rewind(length: number): void;
  /** Frees the session. Pending and later calls fail with CLOSED. */
  close(): void;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
