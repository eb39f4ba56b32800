// Types shared by the classes and functions of the package.

import type { Fallback } from './fallbacks.js';

/**
 * Where a model is read from. A string is a URL, the name of a model of the Hugging Face Hub or, in Node, also a path.
 * Names are `hf:OWNER/NAME`, optionally followed by `@REVISION`, then by `:QUANT` (a GGUF model of this type: `Q8_0`)
 * or `/FILE`. Streams, bodies and iterables are consumed; buffers and Blobs are left unchanged.
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

/** The file formats: the five that quintet can also write, and GGUF, which it only reads. */
export type ModelFormat = 'amb' | 'alt' | 'weights' | 'safetensors' | 'tinyruntime' | 'gguf';

/**
 * Progress of a load. Each stage starts at `loaded` 0, never goes back, and ends with `loaded` equal to `total` if the
 * total is known; `total` does not change within a stage.
 */
export interface LoadProgress {
  /**
   * 'compile' counts bytes of the WebAssembly module (a module that is already compiled counts as 1), 'download' bytes
   * of the model, and 'prepare' steps.
   */
  stage: 'compile' | 'download' | 'prepare';
  loaded: number;
  /** Absent if unknown. */
  total?: number;
}

/** WebAssembly.Module: declared by the DOM types, but not by every version of the Node types. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } }
  ? Instance
  : never;

/** A WebAssembly module provided by the caller: its URL, its bytes or the compiled module. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule;

/** Access to models on the Hugging Face Hub. In Node, environment variables set the defaults. */
export interface HubOptions {
  /** Address of another server with the Hub's API. Default: `HF_ENDPOINT`, or `https://huggingface.co`. */
  endpoint?: string;
  /**
   * For private and gated repositories. It is sent to the endpoint and to no other server. Default: `HF_TOKEN`, or what
   * `hf auth login` has saved.
   */
  token?: string;
  /** Use only what is in the cache. Default: `HF_HUB_OFFLINE`. */
  offline?: boolean;
}

/** Options of every call that reads a model. */
export interface ReadOptions {
  /** For models named `hf:OWNER/NAME`. */
  hub?: HubOptions;
  /** Called with the progress. If it throws, the call stops and rejects with that exception. */
  onProgress?(progress: LoadProgress): void;
  /** Aborts the call, which then rejects with ABORTED. */
  signal?: AbortSignal;
  /** Run in a worker, so that calls do not block the page. Default: true in browsers, false in Node. */
  worker?: boolean;
  /** The WebAssembly module. Default: the file next to the package's scripts. */
  wasm?: WasmSource;
}

/** Options of every class that loads a model. */
export interface CommonLoadOptions extends ReadOptions {
  /**
   * Number of compute threads, 1 to 64. Default 'auto': one per processor, at most 16, if memory can be shared, else 1.
   * On a page, sharing memory requires cross-origin isolation and a model that runs in a worker. A number that is not
   * available is an error (UNSUPPORTED).
   */
  threads?: number | 'auto';
  /**
   * The build of the engine. Default 'auto': relaxed SIMD if it is available and passes its self-test, else baseline.
   */
  variant?: 'auto' | 'baseline' | 'relaxed';
  /**
   * In browsers: keep the file in the origin's storage under this name (`true`: under its URL) and load it from there
   * from then on, without a request. It stays until `modelCache.delete`, or until `integrity` names other bytes. If it
   * cannot be kept, the model loads anyway and `info.runtime.fallbacks` gives the reason. Elsewhere it does nothing:
   * files are on the disk already, and models of the Hub are kept in its own cache folder. Default false.
   */
  cache?: boolean | string;
  /**
   * 'sha256-' followed by the base64 digest of the file. Checked while the file is read; a mismatch is an error (IO).
   */
  integrity?: string;
}

/** The environment that a model runs in, and every fallback that was taken. */
export interface RuntimeInfo {
  variant: 'baseline' | 'relaxed' | 'custom';
  /** The kernels in use: 'scalar', 'simd128' or 'relaxed'. */
  kernels: string;
  /** Number of compute threads. */
  threads: number;
  /** Whether it runs in 64-bit WebAssembly memory. */
  memory64: boolean;
  /** Whether it runs in a worker. */
  worker: boolean;
  /** The fallbacks that were taken. */
  fallbacks: Fallback[];
}

/** A tensor of a model file. */
export interface TensorInfo {
  name: string;
  /** The name in the format, for example 'FLOAT32', 'INT4BLOCK' or 'Q4_K'. */
  dtype: string;
  shape: number[];
  /** Byte offset of the data in the file. */
  offset: number;
  /** Size of the data in bytes. */
  bytes: number;
  /** Number of values that share a scale, for types with blocks; 0: all values of the tensor. */
  block?: number;
  /** The type of the scales: 'FP16' or 'FP32'. */
  scaleType?: string;
  /** The step between two values; for quantized tensors in ALT. */
  delta?: number;
  /** The smallest value; for quantized tensors in ALT. If `min` and `max` are both 0, values are symmetric around 0. */
  min?: number;
  /** The largest value; for quantized tensors in ALT. */
  max?: number;
  /** Whether groups of values have zero points; for quantized tensors in tinyRuntime with a scale for each group. */
  asymmetric?: boolean;
  /** The scale of the whole tensor; for other quantized tensors in tinyRuntime. */
  scale?: number;
  /** The integer that stands for 0; for tensors with `scale`. */
  zeroPoint?: number;
}

/** Description of a model file. */
export interface ModelInfo {
  format: string;
  /** A text generator's usual name, with its type of weights: 'Gemma 3 1B, Q4_K_M'. */
  title?: string;
  /** The kind of model. */
  kind: string;
  /** Version of the format: a number, or major and minor; absent if the format has no versions. */
  version?: number | [major: number, minor: number];
  /** The flags in the header, in AMB and .weights files. */
  flags?: number;
  /** Name of the architecture, if the format has one. */
  architecture?: string;
  /** In bytes. */
  fileSize: number;
  metadata: Record<string, unknown>;
  config: Record<string, unknown>;
  /** Null if the file has no tokenizer. */
  tokenizer: {
    type: string;
    /** Number of tokens in the vocabulary. */
    size: number;
    /** Ids of the special tokens. */
    special: Record<string, number | null>;
    /** Size in the file in bytes, if the tokenizer has its own section. */
    bytes?: number;
  } | null;
  tensors: TensorInfo[];
  /**
   * Number of weights: of all tensors, and of those that one token is computed from. In a mixture of experts, a token
   * uses only some. Absent for loaded embedders, rerankers and classifiers, and if the file holds no weights.
   */
  parameters?: { total: number; active: number };
  /** Memory in bytes: of the weights alone, and of the whole loaded model. Absent if the file holds no weights. */
  memory?: { weights: number; load: number };
  /**
   * Guesses of the reader, and problems found by `validate` that are allowed but make the model useless: one sentence
   * each.
   */
  warnings?: string[];
}

/** Description of a loaded model. */
export interface LoadedModelInfo extends ModelInfo {
  memory: { weights: number; load: number };
  /** The environment that the model runs in. */
  runtime: RuntimeInfo;
}

/**
 * A model in several files, keyed by file name: `config.json`; `tokenizer.json`, `tokenizer.model` or `vocab.txt`; and
 * `*.safetensors`, with `model.safetensors.index.json` if there are several. Or the parts of a split GGUF model,
 * `NAME-00001-of-00003.gguf` and so on.
 */
export interface ModelFolder {
  [file: string]: ModelSource;
}

/** A model in one file or in several: the files of a folder, or the parts of a split GGUF model in their order. */
export type ModelInput = ModelSource | ModelFolder | readonly ModelSource[];

/** Use of WebAssembly memory. */
export interface MemoryUse {
  /** Size of the WebAssembly memory in bytes. */
  heapBytes: number;
  /** Number of native objects that were not closed. */
  liveObjects: number;
}
