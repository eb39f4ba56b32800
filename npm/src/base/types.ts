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

/** The file formats: of the five that quintet writes, and GGUF. */
export type ModelFormat = 'amb' | 'alt' | 'weights' | 'safetensors' | 'tinyruntime' | 'gguf';

/**
 * How far a load is. Each stage begins with `loaded` 0, never goes back, and ends complete: `loaded` is `total` where that
 * is known, and `total` stays the same through a stage. 'compile' counts bytes of the WebAssembly module (one that is there
 * already counts as 1), 'download' those of the model, 'prepare' steps.
 */
export interface LoadProgress {
  stage: 'compile' | 'download' | 'prepare';
  loaded: number;
  total?: number;
}

/** WebAssembly.Module, which the types of the DOM declare and those of Node may not. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : never;

/** A WebAssembly module that the caller provides. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule;

/** What every call takes that reads a model. */
export interface ReadOptions {
  /** Called as the work goes on. An exception that it throws ends the work and comes back from the call. */
  onProgress?(progress: LoadProgress): void;
  signal?: AbortSignal;
  /** Run in a worker, so that no call blocks the page. Default: true in browsers, false in Node. */
  worker?: boolean;
  /** The WebAssembly module, where it does not lie beside the package's own files. */
  wasm?: WasmSource;
}

/** What every class takes that loads a model. */
export interface CommonLoadOptions extends ReadOptions {
  /**
   * Threads that compute. Default 'auto': one per processor where the engine may share memory, else one; a page may where it
   * is cross-origin isolated and the model runs in a worker. A number that cannot be had is an error (UNSUPPORTED).
   */
  threads?: number | 'auto';
  /** The build of the engine. Default 'auto': relaxed SIMD where the machine has it and computes rightly with it. */
  variant?: 'auto' | 'baseline' | 'relaxed';
  /**
   * Browsers only: keep the file in the origin's storage under this name, and load it from there without a request from then
   * on; true: under its URL. What is there stays until `modelCache.delete`, or until `integrity` names other bytes. Where it
   * cannot be kept the model is loaded all the same, and `info.runtime.fallbacks` says why.
   */
  cache?: boolean | string;
  /** 'sha256-' and the base64 digest of the file, checked while it streams in. */
  integrity?: string;
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

/**
 * A model in several files, by their names: config.json; tokenizer.json, tokenizer.model or vocab.txt; *.safetensors, with
 * model.safetensors.index.json where there are several.
 */
export interface ModelFolder {
  [file: string]: ModelSource;
}
