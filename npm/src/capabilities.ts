import { threads } from '#platform/threads';
import type { MemoryUse, RuntimeInfo } from './base/types.js';
import { hasMemory64, hasRelaxedSimd, hasSimd, hasThreads } from './engine/start/features.js';
import { memoryUse } from './engine/start/memory.js';
import { lastRuntime } from './worker/model_handle.js';

/** The features that this browser or Node supports, and how the last model runs. */
export interface Capabilities {
  /** WebAssembly SIMD, which is required. */
  simd: boolean;
  /** Relaxed SIMD, which is faster. */
  relaxedSimd: boolean;
  /**
   * Memory can be shared between threads. Models in workers, and in Node all models, then compute in several threads.
   */
  threads: boolean;
  /** 64-bit WebAssembly memory, for text generators beyond 4 GB. */
  memory64: boolean;
  crossOriginIsolated: boolean;
  /** The default of the option `worker`. */
  worker: boolean;
  /** WebAssembly memory of this thread, without that of workers. */
  memory: MemoryUse;
  /** The environment of the model that was loaded last; absent if none was loaded. */
  runtime?: RuntimeInfo;
}

/** Reports what this browser or Node supports. Starts no engine and no worker. */
export function capabilities(): Capabilities {
  const runtime = lastRuntime();
  return {
    simd: hasSimd(),
    relaxedSimd: hasRelaxedSimd(),
    threads: hasThreads(),
    memory64: hasMemory64(),
    crossOriginIsolated: globalThis.crossOriginIsolated === true,
    worker: threads.worker && typeof Worker === 'function',
    memory: memoryUse(),
    ...(runtime ? { runtime } : {}),
  };
}
