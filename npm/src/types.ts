// The types that the classes and functions of the package share.

/**
 * Where a model comes from. A string is a URL or, in Node, a path. Streams, bodies and iterables are used up; bytes
 * and blobs are read and left as they are.
 */
export type ModelSource =
  | string
  | URL
  | Request
  | Response
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export type ModelFormat = 'amb' | 'alt' | 'weights' | 'safetensors' | 'tinyruntime';

/**
 * How far a load is. Each stage begins with `loaded` 0, never goes back, and ends complete: `loaded` is `total`
 * where that is known. `total` stays the same through a stage. 'download' counts bytes, the others count steps.
 */
export interface LoadProgress {
  stage: 'download' | 'compile' | 'prepare';
  loaded: number;
  total?: number;
}

export interface LoadOptions {
  /** Default: told by the first bytes. */
  format?: ModelFormat;
  /** An exception that it throws ends the load and comes back from it. */
  onProgress?(progress: LoadProgress): void;
  signal?: AbortSignal;
  /**
   * Threads that compute. Default 'auto': one per processor where the engine may share memory, else one; a page may where it
   * is cross-origin isolated and the model runs in a worker. A number that cannot be had is an error (UNSUPPORTED).
   */
  threads?: number | 'auto';
  /** Run in a worker, so that no call blocks the page. Default: true in browsers, false in Node. */
  worker?: boolean;
  /** The build of the engine. Default 'auto': relaxed SIMD where the machine has it and computes rightly with it. */
  variant?: 'auto' | 'baseline' | 'relaxed';
  /**
   * Text generators only: into memory with 64-bit addresses, where more than 4 GB fit and one thread computes. Default 'auto':
   * where the model does not fit otherwise. True is an error (UNSUPPORTED) where the engine has none.
   */
  memory64?: boolean | 'auto';
  /**
   * Browsers only: keep the file in the origin's storage under this name, and load it from there without a request from then
   * on; true: under its URL. What is there stays until `modelCache.delete`, or until `integrity` names other bytes. Where it
   * cannot be kept the model is loaded all the same, and `info.runtime.fallbacks` says why.
   */
  cache?: boolean | string;
  /** What float weights of text generators become while they are read. Embedders take 'none', the default, only. */
  quantize?: 'none' | 'int8' | 'int4';
  /** 'sha256-' and the base64 digest of the file, checked while it streams in. */
  integrity?: string;
  /** The WebAssembly module, where it does not lie beside the package's own files. */
  wasm?: string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule;
  /** Number of attention heads, for embedders' files that do not say it. */
  attentionHeads?: number;
}

export interface EmbedOptions {
  /** How token vectors become one. Default 'mean'. */
  pooling?: 'mean' | 'cls' | 'max';
  /** Divide by the length of the vector. Default true. */
  normalize?: boolean;
  /** Most tokens of one text, with [CLS] and [SEP]. Default: the embedder's `maxLength`. */
  maxLength?: number;
  /**
   * What becomes of a longer text: its end is cut off ('end', the default), it is refused ('error'), or it is split
   * and the parts' vectors are averaged, weighted by their length ('chunk').
   */
  truncate?: 'end' | 'error' | 'chunk';
  /** Called for every text that was cut, with its index and its number of tokens before. */
  onTruncate?(index: number, tokens: number): void;
  /** Called with the number of texts that are done, after every batch. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** What runs a model, with every fallback that was taken. */
export interface RuntimeInfo {
  variant: 'baseline' | 'relaxed' | 'custom';
  /** The set of kernels in use: 'scalar', 'simd128' or 'relaxed'. */
  kernels: string;
  threads: number;
  /** Whether its memory has 64-bit addresses. */
  memory64: boolean;
  worker: boolean;
  /** What was not as good as it could be, and why, one sentence each. */
  fallbacks: string[];
}

export interface TensorInfo {
  name: string;
  /** As the format spells it, for instance 'FLOAT32', 'INT4BLOCK' or 'Q4_K'. */
  dtype: string;
  shape: number[];
  /** Byte of the file at which the data begins. */
  offset: number;
  bytes: number;
  /** Values that share a scale, where the type has blocks of values; 0: all of them. */
  block?: number;
  /** What the scales are stored as: 'FP16' or 'FP32'. */
  scaleType?: string;
  /** Further parameters of a quantized type. */
  [more: string]: unknown;
}

/** What a model file says of itself. */
export interface ModelInfo {
  format: string;
  kind: string;
  /** A number, or major and minor number; absent where the format has none. */
  version?: number | [major: number, minor: number];
  /** Bytes. */
  fileSize: number;
  metadata: Record<string, unknown>;
  config: Record<string, unknown>;
  tokenizer: {
    type: string;
    size: number;
    /** Ids of the special tokens. */
    special: Record<string, number | null>;
    /** Bytes of the file that it takes, where it has a part of its own. */
    bytes?: number;
  } | null;
  tensors: TensorInfo[];
  /** Bytes: of the weights in memory, and of all that a loaded model takes; absent where the file holds no weights. */
  memory?: { weights: number; load: number };
  /** What a reader had to guess, and what `validate` found that is allowed and makes the model useless, one sentence each. */
  warnings?: string[];
  /** How a loaded model runs; absent from `inspect` and `validate`. */
  runtime?: RuntimeInfo;
  [more: string]: unknown;
}

/** What a model that is loaded says of itself: its weights are in memory. */
export interface LoadedModelInfo extends ModelInfo {
  memory: { weights: number; load: number };
}

export interface ConvertProgress {
  /** The tensor that was written last. */
  tensor: string;
  /** Tensors that are written, and all of them. */
  done: number;
  total: number;
}

/** Which a format takes is told by docs/cli.md; an error says where it takes none of that name. */
export type Quantization =
  | 'none'
  | 'f16'
  | 'bf16'
  // .amb; .alt takes int8 and int4
  | 'int8'
  | 'int4'
  | 'int5'
  | 'int4block'
  | 'int5block'
  | 'adaptive'
  // .weights
  | 'int8-row'
  | 'int8-group'
  // tinyRuntime
  | 'dq8'
  | 'dq8-symmetric'
  | 'sq8';

/** Default: as the source stores it, or as near to that as the format can. */
export interface ConvertOptions {
  to: ModelFormat;
  quantize?: Quantization;
  /** Values that share a scale. 0: all of a tensor. */
  groupSize?: number;
  /** What .amb files store scales as. */
  scaleType?: 'fp16' | 'fp32';
  /** Average bits per weight of 'adaptive'. */
  bits?: number;
  /** Images like those that the network will see; 'sq8' needs them to learn the ranges of its activations. */
  calibration?: Iterable<ImageInput> | AsyncIterable<ImageInput>;
  /** How 'sq8' finds a range: from all values ('minmax'), or without rare outliers ('histogram'). */
  observer?: 'minmax' | 'histogram';
  /** Entries that replace those of the source, or come on top. */
  metadata?: Record<string, unknown>;
  onProgress?(progress: ConvertProgress): void;
  signal?: AbortSignal;
}

/** Pixels row by row, the channels of each together: grey, red green blue, or with an alpha that is not used. */
export interface RawImage {
  /** Floats run from 0 to 1. */
  data: Uint8Array | Uint8ClampedArray | Float32Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

/** The instances of classes that browsers have; none where the types of the DOM are not loaded. */
type OfPages<Name extends string> = Name extends unknown
  ? typeof globalThis extends Record<Name, { prototype: infer Instance }>
    ? Instance
    : never
  : never;

/** WebAssembly.Module, which the types of the DOM declare and those of Node may not. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : never;

/** ImageData or pixels; the bytes of a JPEG or PNG file; in browsers also of other files that they can show, and what a page shows. */
export type ImageInput =
  | RawImage
  | { data: Uint8ClampedArray; width: number; height: number; channels?: undefined }
  | Blob
  | Uint8Array
  | ArrayBuffer
  | OfPages<'ImageBitmap' | 'HTMLImageElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'HTMLVideoElement' | 'VideoFrame'>;

/**
 * A model in several files, by their names: config.json; tokenizer.json, tokenizer.model or vocab.txt; *.safetensors, with
 * model.safetensors.index.json where there are several.
 */
export interface ModelFolder {
  [file: string]: ModelSource;
}
