// The compute threads of an engine: how many it gets, and how they start.

import { processors } from '#platform/processors';

import { messageOf, unsupported } from '../base/errors.js';
import { hasThreads } from './features.js';
import type { StartTeam } from './compute_task.js';

// More hardly ever pay: what they would share gets too small.
const mostThreads = 16;

// Of a thread that has not begun by then an engine does without: its script may never come.
const patience = 10_000;

/** Why there are fewer threads than there could be. */
export const oneThread = (reason: string) => `one thread: ${reason}`;

/** The threads that an engine here gets. Fewer than asked for are a fallback of 'auto', and else an error. */
export function countThreads(wanted: number | 'auto', fallbacks: string[]): number {
  const threads = wanted === 'auto' ? Math.min(processors.count(), mostThreads) : wanted;
  const refusal = hasThreads() ? processors.refusal() : 'memory cannot be shared here; a page must be cross-origin isolated for it';
  if (threads === 1 || !refusal) return threads;
  if (wanted !== 'auto') throw unsupported(`${threads} threads: ${refusal}`);
  fallbacks.push(oneThread(refusal));
  return 1;
}

/** Whether a module has its memory from outside, and so can have threads. */
export const sharesMemory = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

/** The memory of a threaded module: of the size with which it is linked (cmake/wasm_module.cmake), and growing. */
export const sharedMemory = () => new WebAssembly.Memory({ initial: 32, maximum: 65536, shared: true });

/** Exports of a threaded module for its own thread. */
interface ThreadedExports {
  helper_memory(): number;
  set_threads(threads: number): void;
}

/** Starts the compute threads of an instance: all, or none and a rejection. Gives what ends them. */
export async function startComputeThreads(
  { exports }: WebAssembly.Instance,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  threads: number,
  startTeam: StartTeam,
): Promise<() => void> {
  const native = exports as unknown as ThreadedExports;
  native.set_threads(threads);
  const tasks = Array.from({ length: threads - 1 }, (_, i) => ({ module, memory, thread: i + 1, address: native.helper_memory() }));
  const end = () => void startTeam([]);
  let late: ReturnType<typeof setTimeout>;
  try {
    if (tasks.some(({ address }) => address === 0)) throw new Error('no memory for its stack');
    // The process lives until they have begun because of the timer, and not longer for their sake.
    const lateness = new Promise<string>((resolve) => {
      late = setTimeout(resolve, patience, 'it does not begin');
    });
    const failure = await Promise.race([startTeam(tasks), lateness]);
    if (failure !== undefined) throw new Error(failure);
    return end;
  } catch (error) {
    end();
    throw new Error(`a compute thread: ${messageOf(error)}`);
  } finally {
    clearTimeout(late!);
  }
}
