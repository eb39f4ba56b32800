// What the wasm modules of text generators export (bindings/generator).

import type { NativeCacheWriter, NativeHandle, NativeInstance, NativeIntake, NativeKernels, Outcome } from '../engine/native.js';

/**
 * Loads a decoder from one file, or from the files of a Hugging Face folder: those that describe (config.json and the
 * tokenizer's) before those that hold tensors. Each from `beginFile` over `feed`s to `endFile`.
 */
export interface NativeGeneratorLoader extends NativeHandle {
  /** `totalBytes`: -1 where unknown. */
  beginFile(name: string, totalBytes: number): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  endFile(): Outcome<undefined>;
  finish(): Outcome<NativeGenerator>;
}

export interface NativeGenerator extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  /** Positions that a session may hold. */
  contextLength(): number;
  vocabularySize(): number;
  /** Room for the UTF-8 of one text, null where there is no memory; then a call below with its length in bytes. */
  textWindow(bytes: number): Uint8Array | null;
  tokenize(bytes: number, addBos: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  detokenize(ids: Int32Array): Outcome<string>;
  /** The vocabulary's text of one id; empty for an id outside of it. */
  token(id: number): string;
  /** Ids of a conversation: JSON [{role, content}] in the window. `template`: a name, or '' for the model's own. */
  encodeChat(bytes: number, template: string): Outcome<Int32Array>;
  createSession(): Outcome<NativeSession>;
}

/** One token of a generation. */
export interface NativeToken {
  /** -1 where no token was chosen: `text` is what was held back for a stop string, `reason` is set. */
  id: number;
  /** Whole characters; empty while they are incomplete or may be the begin of a stop string. */
  text: string;
  /** Natural logarithm of the token's probability before sampling options, where logprobs were asked for. */
  logprob?: number;
  /** The most probable tokens, best first. */
  top?: { id: number; text: string; logprob: number }[];
  /** Why the generation ends with this. */
  reason?: 'stop' | 'length' | 'eos';
}

/** A KV cache over the weights of a generator, which it keeps alive. */
export interface NativeSession extends NativeHandle {
  /** Tokens that it holds, those included that wait for the next computation. */
  length(): number;
  tokens(): Int32Array;
  fork(): Outcome<NativeSession>;
  rewind(length: number): Outcome<undefined>;
  /**
   * Starts to compute ids behind what it holds; with `replace` its whole content becomes `ids`, and what the two have in
   * common at the begin is kept. INPUT where they do not fit the context. Gives the number of tokens to compute.
   */
  begin(ids: Int32Array, replace: boolean): Outcome<number>;
  /** Computes for a few milliseconds. Gives the tokens that are left; 0: complete. */
  step(): Outcome<number>;
  /**
   * Ends an incomplete computation: the session is as it was before begin(), but for what `replace` took away. A token
   * of choose() stays, and waits for the next computation.
   */
  cancel(): void;
  /**
   * [vocabulary size] after what it holds. Computes nothing: INPUT where it is empty, and where a computation is
   * incomplete or a token waits for one, which begin() without ids starts.
   */
  logits(): Outcome<Float32Array>;
  /** Starts to compute the tokens that wait, if any do; gives their number. */
  beginWaiting(): Outcome<number>;
  /**
   * What it holds as a KV cache file. `options`: JSON { dtype?, compression?, layout?, groupSize?, sampler? }, checked.
   * INPUT while tokens wait. The session can go on while the file is taken.
   */
  saveCache(options: string): Outcome<NativeCacheWriter>;
  /**
   * Reads a KV cache file, whose content replaces what the session holds with `finish()`. `total`: its length, or -1.
   * `options`: JSON { tokens?, sampler? }.
   */
  loadCache(total: number, options: string): Outcome<NativeIntake<undefined>>;
  /**
   * Instead of begin(): scores each id by those before it, in a cache of its own use; then step() to 0, then scores().
   * `afterHeld`: given what the session holds, of which no token may wait.
   */
  beginScoring(ids: Int32Array, afterHeld: boolean): Outcome<number>;
  /** Sum of -ln p over the scored ids, and their number. */
  scores(): Outcome<{ sum: number; count: number }>;
  /** Logits of the positions that the last step() of beginScoring(ids) completed, row-major; none if taken before. */
  takeLogits(): Float32Array;

  /** After a prompt: sampling as JSON of GenerateOptions without functions. `logprobs`, `stop` and `maxTokens` included. */
  startGeneration(options: string): Outcome<undefined>;
  /** Replaces the logits that the next token is chosen from. */
  setLogits(logits: Float32Array): Outcome<undefined>;
  /**
   * Chooses the next token, which then is begun: step() to 0 before the next choose(). After a token with a `reason`
   * nothing is begun.
   */
  choose(): Outcome<NativeToken>;
}

/** quintet-generator-*.wasm */
export interface NativeGeneratorModule extends NativeInstance, NativeKernels {
  /** `options` is JSON { format?, quantize?, contextLength?, kvCache? }, checked. */
  GeneratorLoader: new (options: string) => NativeGeneratorLoader;
}
