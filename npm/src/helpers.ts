// Helper threads, and how browsers and Node differ in them. The build puts browser_helpers.ts or node_helpers.ts in the
// place of 'quintet-helpers'. Apart from threads.ts, because engines ask wherever they run: also in a worker.

/** What a helper thread is to do. */
export interface HelperTask {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Its number, from 1 on; 0 is the engine's own thread. */
  thread: number;
  /** Of its stack and its thread-local variables (bindings/threads.cc). */
  address: number;
}

/** Sent once: what keeps the helper from its task, or nothing where it computes from now on. */
export type HelperReport = string | undefined;

/**
 * Ends the helpers that it started before, and starts one for each task. Resolves when all have begun, or to what keeps one
 * from it; where there are no tasks never.
 */
export type StartTeam = (tasks: readonly HelperTask[]) => Promise<string | undefined>;

export interface HelperPlatform {
  /** Threads that the machine runs at once. */
  processors(): number;
  /** Why this thread may have no helpers, though memory can be shared. */
  refusal(): string | undefined;
}
