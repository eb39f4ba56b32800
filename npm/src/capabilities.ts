import { threads } from 'quintet-threads';

import { hasMemory64, hasRelaxedSimd, hasSimd, hasThreads } from './features.js';
import { memoryUse, type MemoryUse } from './memory_gauge.js';
import type { RuntimeInfo } from './types.js';

/** What this machine's engine can do, and what was made of it. */
export interface Capabilities {
  /** WebAssembly SIMD, without which nothing runs. */
  simd: boolean;
  relaxedSimd: boolean;
  /** Memory that threads can share: models in workers, and in Node all, compute in several threads. */
  threads: boolean;
  /** WebAssembly memory beyond 4 GB, for text generators. */
  memory64: boolean;
  crossOriginIsolated: boolean;
  /** Whether models are loaded in a worker where the caller does not say. */
  worker: boolean;
  /** WebAssembly memory of this thread; models in workers have theirs. */
  memory: MemoryUse;
  /** How the model that was loaded last runs. */
  runtime?: RuntimeInfo;
}

let lastRuntime: RuntimeInfo | undefined;

export function rememberRuntime(runtime: RuntimeInfo): void {
  lastRuntime = runtime;
}

/** What this machine's engine can do. Starts nothing. */
export function capabilities(): Capabilities {
  return {
    simd: hasSimd(),
    relaxedSimd: hasRelaxedSimd(),
    threads: hasThreads(),
    memory64: hasMemory64(),
    crossOriginIsolated: globalThis.crossOriginIsolated === true,
    worker: threads.worker && typeof Worker === 'function',
    memory: memoryUse(),
    ...(lastRuntime ? { runtime: lastRuntime } : {}),
  };
}
