// The messages to and from a compute thread.

/** The task of a compute thread. */
export interface ComputeTask {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Number of the thread, from 1 on; 0 is the engine's own thread. */
  thread: number;
  /** Address of its stack and its thread-local variables (bindings/threads.cc). */
  address: number;
}

/** Sent once: undefined when the thread is ready, else the reason why it failed to start. */
export type ComputeReport = string | undefined;

/**
 * Ends the threads that it started before, and starts one for each task. Resolves when all are ready, or to the reason
 * why one failed to start. Never resolves if there are no tasks.
 */
export type StartTeam = (tasks: readonly ComputeTask[]) => Promise<string | undefined>;
