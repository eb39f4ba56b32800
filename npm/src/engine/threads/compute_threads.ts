// Decides how many compute threads an engine gets, and starts them.

import { processors } from '#platform/own_thread';

import { messageOf, unsupported } from '../../base/errors.js';
import type { Fallback } from '../../base/fallbacks.js';
import { hasThreads } from '../start/features.js';
import type { StartTeam } from './compute_task.js';

// More threads rarely help: their shares of the work get too small.
const maxThreads = 16;

// Milliseconds to wait for threads to start. The script of a thread may never arrive.
const patience = 10_000;

export const oneThread = (reason: string): Fallback => ({ code: 'one_thread', message: `one thread: ${reason}` });

/** The number of threads for an engine. Too few are a fallback with 'auto', else an error. */
export function countThreads(wanted: number | 'auto', fallbacks: Fallback[]): number {
  const threads = wanted === 'auto' ? Math.min(processors.count(), maxThreads) : wanted;
  const refusal = hasThreads() ? processors.refusal() : noSharedMemory();
  if (threads === 1 || !refusal) return threads;
  if (wanted !== 'auto') throw unsupported(`${threads} threads: ${refusal}`);
  fallbacks.push(oneThread(refusal));
  return 1;
}

/** By default, WebKitGTK has no SharedArrayBuffer even on isolated pages. */
const noSharedMemory = () =>
  globalThis.crossOriginIsolated
    ? 'memory cannot be shared here; this browser has no SharedArrayBuffer'
    : 'memory cannot be shared here; a page must be cross-origin isolated';

/** Exports of a threaded module for its own thread. */
interface ThreadedExports {
  thread_memory(): number;
  set_threads(threads: number): void;
}

/** Starts all compute threads of an instance and returns a function that ends them. Rejects if any fails to start. */
export async function startComputeThreads(
  { exports }: WebAssembly.Instance,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  threads: number,
  startTeam: StartTeam,
): Promise<() => void> {
  const native = exports as unknown as ThreadedExports;
  native.set_threads(threads);
  const tasks = Array.from({ length: threads - 1 }, (_, i) => ({
    module,
    memory,
    thread: i + 1,
    address: native.thread_memory(),
  }));
  const end = () => void startTeam([]);
  let late: ReturnType<typeof setTimeout>;
  try {
    if (tasks.some(({ address }) => address === 0)) throw new Error('not enough memory for its stack');
    // The timer keeps the process alive until the threads have started; the threads themselves do not.
    const lateness = new Promise<string>((resolve) => {
      late = setTimeout(resolve, patience, 'no response');
    });
    const failure = await Promise.race([startTeam(tasks), lateness]);
    if (failure !== undefined) throw new Error(failure);
    return end;
  } catch (error) {
    end();
    throw new Error(`a compute thread failed to start: ${messageOf(error)}`);
  } finally {
    clearTimeout(late!);
  }
}
