// What the wasm modules (bindings/) export, written by hand; a test checks it against the real modules.
// Sizes and offsets are JavaScript numbers (exact below 2^53). Every view of the wasm heap is for one use at
// once: the next call may grow the memory and detach it.

import { QuintetError, type ErrorCode, type ErrorReason } from './errors.js';

/** How a C++ Result crosses into JavaScript. */
export type Outcome<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      code: ErrorCode;
      reason: ErrorReason;
      message: string;
      offset?: number;
      format?: string;
      tensor?: string;
    };

/** An object that lives in wasm memory until `delete()`. */
export interface NativeHandle {
  delete(): void;
}

/**
 * Something that reads a file chunk by chunk: fill `window(n)`, then `feed(n)`; after the last chunk `finish()`.
 * With `seekable` the next chunk must begin at `position()`, else chunks follow one another.
 */
export interface NativeIntake<T> extends NativeHandle {
  /** Null where there is no memory for it. */
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  finish(): Outcome<T>;
}

/** `finish()` gives the description as JSON: what `inspect` and `validate` answer. */
export type NativeInspector = NativeIntake<string>;

export interface NativeTensor {
  dtype: string;
  shape: number[];
  data: Float32Array;
}

export interface NativeEmbedder extends NativeHandle {
  dimension(): number;
  /** Default limit of tokens of one text, [CLS] and [SEP] included. */
  maxLength(): number;
  /** Most tokens that the position embeddings allow. */
  maxPositions(): number;
  /** The model's description as JSON. */
  info(): string;

  /** Room for the UTF-8 of one text, null where there is no memory; then a call below with its length in bytes. */
  textWindow(bytes: number): Uint8Array | null;
  /** All ids with [CLS] and [SEP], not cut. */
  tokenize(bytes: number): Outcome<Int32Array>;
  countTokens(bytes: number): Outcome<number>;
  /** The vocabulary's text of one id; empty for an id outside of it. */
  token(id: number): string;
  /**
   * Queues a text for the next run, cut to maxLength tokens or, with `chunk`, split into parts of at most that many
   * whose vectors are averaged by length. Gives the number of tokens before cutting.
   */
  queueText(bytes: number, maxLength: number, chunk: boolean): Outcome<number>;
  /** Queues token ids as they are. */
  queueIds(ids: Int32Array): Outcome<undefined>;
  queuedTokens(): number;
  /** Starts the forward pass over all that is queued: packed, not padded. */
  begin(pooling: 'mean' | 'cls' | 'max', normalize: boolean): Outcome<undefined>;
  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The vectors of the completed pass, one row per queued text, in order. Empties the queue. */
  take(): Float32Array;
  /** Forgets queue and pass. */
  cancel(): void;
}

/** Loads an image network from a tinyRuntime file; other formats are UNSUPPORTED. */
export type NativeClassifierLoader = NativeIntake<NativeClassifier>;

/** Bytes of an input file, which is named by its place in the order of the first `beginFile` calls. */
export interface NativeRange {
  file: number;
  offset: number;
  bytes: number;
}

/**
 * Takes the files of one model in two phases. First every file in order, from `beginFile` to `endFile`: text files as
 * a whole, and of model files with `seekable` what `position()` asks for. After `plan()` the data, range by range.
 */
interface NativeFileTaker extends NativeHandle {
  beginFile(name: string, totalBytes: number, seekable: boolean): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  /** True: the same file follows once more, not seekable and whole, so that its checksums can be verified. */
  endFile(): Outcome<boolean>;
  /** After the last file: what becomes of each tensor is settled. */
  plan(): Outcome<undefined>;
  /** What is to be fed next, in pieces of any size; null where all was fed. */
  nextRange(): NativeRange | null;
}

/** Converts one model; output is drained while input is fed. */
export interface NativeConverter extends NativeFileTaker {
  /** After the last range: whether images are needed, to be given to `calibrate`. */
  wantsCalibration(): boolean;
  /** Width and height of the network's usual input. */
  inputSize(): number;
  /** Three normalised planes. */
  calibrate(values: Float32Array, height: number, width: number): Outcome<undefined>;
  /** The rest of the output becomes ready. */
  finish(): Outcome<undefined>;
  /** Output bytes that are ready, at most about a chunk; empty where there are none yet. */
  take(): Uint8Array;
  /** The tensor being written and the counts, as JSON {tensor, done, total}. */
  progress(): string;
}

/** Compares a converted model with the one it was made from. The output, as a range, has the number -1. */
export interface NativeVerifier extends NativeFileTaker {
  /** After the input files: the output's description, always seekable. */
  beginOutput(totalBytes: number): Outcome<undefined>;
  endOutput(): Outcome<undefined>;
  /** The tensors compared since the last call, as JSON [{tensor, maxError, cosine}]. */
  report(): Outcome<string>;
}

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
  /** As of NativeEmbedder. */
  textWindow(bytes: number): Uint8Array | null;
  tokenize(bytes: number, addBos: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  detokenize(ids: Int32Array): Outcome<string>;
  /** The vocabulary's text of one id; empty for an id outside of it. */
  token(id: number): string;
  /** Ids of a conversation: JSON [{role, content}] in the window. `template`: a name, or '' for the model's own. */
  encodeChat(bytes: number, template: string): Outcome<Int32Array>;
  createSession(): Outcome<NativeSession>;
}

/** The bytes of a KV cache file, made piece by piece. */
export interface NativeCacheWriter extends NativeHandle {
  /** Of the whole file. */
  bytes(): number;
  /** The next piece, at most a chunk; empty at the end. */
  take(): Outcome<Uint8Array>;
}

/** A KV cache file in memory, of any model. `finish()` tells what it is: JSON of KvCacheFacts (npm/src/cli/kv_file.ts). */
export interface NativeKvCacheFile extends NativeIntake<string> {
  /** In another form, after `finish()`. `options`: JSON of `saveCache` of NativeSession. */
  write(options: string): Outcome<NativeCacheWriter>;
  /**
   * How near the other is to this one: JSON { rmse, snr_db, cosine_similarity, max_error, quality_level, violations };
   * snr_db null: infinite, for a tensor without any error.
   */
  compare(other: NativeKvCacheFile): Outcome<string>;
}

/** Takes the files of a Hugging Face folder that describe its tokenizer, each from `beginFile` over `feed`s to `endFile`. */
export interface NativeTokenizerFolderLoader extends NativeHandle {
  beginFile(name: string): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  endFile(): Outcome<undefined>;
  finish(): Outcome<NativeTokenizer>;
}

/** The tokenizer of a file or folder without its model. Methods as of NativeGenerator. */
export interface NativeTokenizer extends NativeHandle {
  textWindow(bytes: number): Uint8Array | null;
  tokenize(bytes: number, addBos: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  token(id: number): string;
}

/**
 * An image network. Each `begin…` starts a pass over one image and forgets the one before; then `step()` until it is true,
 * then `take()`. Sizes that are no whole numbers, or too large, are INPUT.
 */
export interface NativeClassifier extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  classes(): number;
  inputChannels(): number;
  /** Side of the pictures that such a network is made for: 224, or 32 for those of CIFAR. */
  usualInputSize(): number;

  /** Room for the samples of one picture, null where there is no memory; then `beginPicture`. */
  pixelWindow(bytes: number): Uint8Array | null;
  /**
   * The window holds [height][width][channels], all of it; `channels`: 1, 3 or 4. The picture is scaled until its shorter
   * side is `shorterSide`, `size` x `size` are cut from its middle and normalised: (sample / 255 - mean) / deviation, three
   * numbers each, for red, green and blue. The window is empty afterwards.
   */
  beginPicture(
    width: number,
    height: number,
    channels: number,
    size: number,
    shorterSide: number,
    mean: ArrayLike<number>,
    standardDeviation: ArrayLike<number>,
  ): Outcome<undefined>;
  /** Room for a prepared input of so many values, null where there is no memory; then `beginInput`. */
  inputWindow(values: number): Float32Array | null;
  /** The window holds [channels][height][width], all of it. It is empty afterwards. */
  beginInput(channels: number, height: number, width: number): Outcome<undefined>;

  /** Computes for a few milliseconds; true when the logits are there. */
  step(): Outcome<boolean>;
  /** One value a class, of the completed pass; none without one. Ends the pass. */
  take(): Float32Array;
  /** Forgets the pass. */
  cancel(): void;
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

/** What every module has. */
export interface NativeInstance {
  /** Variants in this build, slowest first. */
  kernelVariants(): string[];
  activeKernels(): string;
  forceKernels(name: string): boolean;
  /** Name of the first kernel that answers wrongly, or ''. */
  selfTest(): string;
  heapBytes(): number;
  /** Live native objects, for leak tests. */
  liveObjects(): number;
}

/** quintet-baseline.wasm, quintet-relaxed.wasm: models run, files are inspected and read. */
export interface NativeModule extends NativeInstance {
  /** `format`: a name of LoadOptions.format or ''; `total`: bytes of the input, or -1 where unknown. */
  Inspector: new (format: string, total: number, seekable: boolean) => NativeInspector;
  Validator: new (format: string, total: number) => NativeInspector;
  TensorReader: new (format: string, total: number, name: string, seekable: boolean) => NativeIntake<NativeTensor>;
  EmbedderLoader: new (format: string, total: number, attentionHeads: number) => NativeIntake<NativeEmbedder>;
}

/** quintet-decoder-baseline.wasm, quintet-decoder-relaxed.wasm: text generation. */
export interface NativeDecoderModule extends NativeInstance {
  /** `options` is JSON { format?, quantize?, contextLength?, kvCache? }, checked. */
  GeneratorLoader: new (options: string) => NativeGeneratorLoader;
  /** Of one file. Arguments as of Inspector. */
  TokenizerLoader: new (format: string, total: number, seekable: boolean) => NativeIntake<NativeTokenizer>;
  TokenizerFolderLoader: new () => NativeTokenizerFolderLoader;
}

/** quintet-network-baseline.wasm, quintet-network-relaxed.wasm: pictures are classified. */
export interface NativeNetworkModule extends NativeInstance {
  /** `kind`: of LoadOptions, or '' where the file's size tells it. The other arguments are as of Inspector. */
  ClassifierLoader: new (format: string, kind: string, total: number) => NativeClassifierLoader;
}

/** quintet-convert.wasm. */
export interface NativeConvertModule extends NativeInstance {
  /** `options` is JSON of ConvertOptions without functions and images. */
  Converter: new (options: string) => NativeConverter;
  /** With the options of the conversion. */
  Verifier: new (options: string) => NativeVerifier;

  /** `total`: length of the file. */
  KvCacheFile: new (total: number) => NativeKvCacheFile;

  /** Scales and cuts an image to `size` x `size` and normalises it: three planes. `channels`: 1, 3 or 4. */
  prepareImage(
    pixels: Uint8Array,
    width: number,
    height: number,
    channels: number,
    size: number,
  ): Outcome<Float32Array>;
}

/** The one place where a native failure becomes a throw. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, reason, message, offset, format, tensor } = outcome;
  throw new QuintetError(code, message, { reason, offset, format, tensor });
}
