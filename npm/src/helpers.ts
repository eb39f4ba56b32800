// How browsers and Node start helper threads. The build puts browser_helpers.ts or node_helpers.ts in the place of
// 'quintet-helpers'. Apart from threads.ts, because an engine starts helpers wherever it runs: also in a worker.

import type { WorkerEndpoint } from './threads.js';

/** What a helper thread is to do. */
export interface HelperTask {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Its number, from 1 on; 0 is the engine's own thread. */
  thread: number;
  /** Of its stack and its thread-local variables (bindings/threads.cc). */
  address: number;
}

/** Sent once: the helper computes from now on, or cannot. */
export interface HelperReport {
  failure?: string;
}

export interface HelperPlatform {
  /** Threads that the machine runs at once. */
  processors(): number;
  /** Why this thread may have no helpers, though memory can be shared; `automatic`: unless the caller insists. */
  refusal(automatic: boolean): string | undefined;
  start(): WorkerEndpoint;
}
