import { threads } from '#platform/threads';

import { hasMemory64, hasRelaxedSimd, hasSimd, hasThreads } from './engine/features.js';
import { memoryUse, type MemoryUse } from './engine/memory_gauge.js';
import type { RuntimeInfo } from './base/types.js';
import { lastRuntime } from './remote/model_handle.js';

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

/** What this machine's engine can do. Starts nothing. */
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
