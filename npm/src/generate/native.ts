// The exports of the WebAssembly modules for text generators (bindings/generator).

import type {
  NativeCacheWriter,
  NativeFileLoader,
  NativeHandle,
  NativeInstance,
  NativeKernels,
  NativeOverlappingLoader,
  NativeReader,
  Outcome,
} from '../engine/native.js';

export interface NativeGenerator extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  /** Maximum number of positions of a session. */
  contextLength(): number;
  vocabularySize(): number;
  /**
   * Buffer for the UTF-8 of one text, null if out of memory. Fill it, then call a method below with its length in
   * bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  tokenize(bytes: number, addBos: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  detokenize(ids: Int32Array): Outcome<string>;
  /** The vocabulary entry of an id; empty for an id outside the vocabulary. */
  token(id: number): string;
  /**
   * JSON { templates, tokens }: the model's chat templates by name, and its special tokens by the names of templates.
   */
  chat(): string;
  /** Ids of a formatted conversation. `changes`: see FormattedChat. */
  encodeChat(bytes: number, changes: Uint32Array): Outcome<Int32Array>;
  /**
   * The bytes of all tokens, one after another, where each ends, and the ids that end a text. `begins`: as the first of
   * a text.
   */
  vocabulary(begins: boolean): Outcome<{ bytes: Uint8Array; ends: Int32Array; stops: Int32Array }>;
  /** The id of a vocabulary entry, or -1. */
  find(token: string): number;
  createSession(): Outcome<NativeSession>;
  /** Computes for a few milliseconds: a pass over the weights advances all sessions that have begun a computation. */
  step(): void;
  /** Its `finish()` keeps the adapter under this name. */
  loadAdapter(name: string): Outcome<NativeFileLoader<undefined>>;
  unloadAdapter(name: string): Outcome<undefined>;
  /** Uses these adapters in all further computations of the session, JSON [{ name, scale }]. */
  useAdapters(session: NativeSession, adapters: string): Outcome<undefined>;
}

/** One token of a generation. */
export interface NativeToken {
  /** -1 if no token was chosen: `text` is then what was held back for a stop string, and `reason` is set. */
  id: number;
  /** Whole characters; empty while a character is incomplete or a stop string may be starting. */
  text: string;
  /** Natural logarithm of the token's probability before sampling options, if logprobs were requested. */
  logprob?: number;
  /** The most probable tokens, best first. */
  top?: { id: number; text: string; logprob: number }[];
  /** Set if it was a guess that is already computed. */
  wasGuessed?: true;
  /** Set on the last token: why the generation ended. */
  reason?: 'stop' | 'length' | 'eos';
}

/** A KV cache for the weights of a generator. It keeps the generator alive. */
export interface NativeSession extends NativeHandle {
  /** Number of tokens, including pending ones, which are computed with the next computation. */
  length(): number;
  tokens(): Int32Array;
  fork(): Outcome<NativeSession>;
  rewind(length: number): Outcome<undefined>;
  /** The number of leading ids that need not be computed after those that this session has computed. */
  reusable(ids: Int32Array): number;
  /** Replaces the content with what another session has computed so far; that one may be computing. */
  adopt(other: NativeSession): Outcome<undefined>;
  /**
   * Starts to compute ids after the content; with `replace` the content becomes `ids`, and the common prefix of both is
   * not computed again. INPUT if they do not fit the context. Returns the number of tokens to compute.
   */
  begin(ids: Int32Array, replace: boolean): Outcome<number>;
  /** Remembers the content of the session until `cancel`, which restores it, or `settle`. */
  mark(): Outcome<undefined>;
  settle(): void;
  /** The number of tokens that steps still have to compute; 0: complete. */
  left(): Outcome<number>;
  /**
   * Cancels an incomplete computation: the session returns to its state before begin(), except for content that
   * `replace` removed. A token of choose() stays and becomes pending.
   */
  cancel(): void;
  /**
   * [vocabulary size] logits after the content. Computes nothing: INPUT if the session is empty, a computation is
   * incomplete or a token is pending; begin() without ids computes pending tokens.
   */
  logits(): Outcome<Float32Array>;
  /** Starts to compute the pending tokens, if any. Returns their number. */
  beginWaiting(): Outcome<number>;
  /**
   * The content as a KV cache file. `options`: JSON { dtype?, compression?, layout?, groupSize?, sampler? }, already
   * checked. INPUT while tokens are pending. The session can be used while the file is taken.
   */
  saveCache(options: string): Outcome<NativeCacheWriter>;
  /**
   * Reads a KV cache file; `finish()` replaces the content with it. `total`: its length, or -1 if unknown.
   * `options`: JSON { tokens?, sampler? }.
   */
  loadCache(total: number, options: string): Outcome<NativeReader<undefined>>;
  /**
   * Instead of begin(): scores each id given those before it, in a separate cache. Then steps until left() is 0, then
   * scores(). `afterHeld`: given the content of the session, of which no token may be pending.
   */
  beginScoring(ids: Int32Array, afterHeld: boolean): Outcome<number>;
  /** Sum of -ln p over the scored ids, and their number. */
  scores(): Outcome<{ sum: number; count: number }>;
  /** Row-major logits of the positions that the last pass of beginScoring(ids) completed; empty if already taken. */
  takeLogits(): Float32Array;

  /**
   * After a prompt. `options`: GenerateOptions without functions as JSON, including `logprobs`, `stop` and `maxTokens`.
   */
  startGeneration(options: string): Outcome<undefined>;
  /** Replaces the logits from which the next token is chosen. */
  setLogits(logits: Float32Array): Outcome<undefined>;
  /** Whether only special tokens precede what comes next. */
  begins(): boolean;
  /** A buffer to fill with a bit for each token that may be chosen next. If it is not filled, all are allowed. */
  maskWindow(): Uint32Array;
  /**
   * Chooses the next token and starts to compute it: steps until left() is 0 before the next choose(). After a token
   * with a `reason` nothing is started.
   */
  choose(): Outcome<NativeToken>;
  /**
   * After choose(), before step(): ids that may be chosen next, to be computed in one pass with the chosen token. They
   * change nothing but the time that the text takes.
   */
  guess(ids: Int32Array): Outcome<undefined>;
  /** Ends the generation where its text is complete: as a token without an id, with what was held back. */
  finish(): Outcome<NativeToken>;
}

/** quintet-generator-*.wasm */
export interface NativeGeneratorModule extends NativeInstance, NativeKernels {
  /** `options`: JSON { format?, quantize?, contextLength?, kvCache? }, already checked. */
  GeneratorLoader: new (
    options: string,
  ) => NativeOverlappingLoader<NativeGenerator>;
}
