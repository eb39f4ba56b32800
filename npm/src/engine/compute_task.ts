// What a compute thread is told, and what it answers.

/** What a compute thread is to do. */
export interface ComputeTask {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Its number, from 1 on; 0 is the engine's own thread. */
  thread: number;
  /** Of its stack and its thread-local variables (bindings/threads.cc). */
  address: number;
}

/** Sent once: what keeps the thread from its task, or nothing where it computes from now on. */
export type ComputeReport = string | undefined;

/**
 * Ends the threads that it started before, and starts one for each task. Resolves when all have begun, or to what keeps one
 * from it; where there are no tasks never.
 */
export type StartTeam = (tasks: readonly ComputeTask[]) => Promise<string | undefined>;
