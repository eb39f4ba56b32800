// The threads of an engine: how many it gets, and how they start.

import { helpers } from 'quintet-helpers';

import { messageOf, unsupported } from './errors.js';
import { hasThreads } from './features.js';
import type { HelperReport, HelperTask } from './helpers.js';
import type { WorkerEndpoint } from './threads.js';

// More hardly ever pay: what they would share gets too small.
const mostThreads = 16;

// Of a helper that has not begun by then an engine does without: its script may never come.
const patience = 10_000;

/** Why there are fewer threads than there could be. */
export const oneThread = (reason: string) => `one thread: ${reason}`;

/** The threads that an engine here gets. Fewer than asked for are a fallback of 'auto', and else an error. */
export function countThreads(wanted: number | 'auto', fallbacks: string[]): number {
  const threads = wanted === 'auto' ? Math.min(helpers.processors(), mostThreads) : wanted;
  const refusal = hasThreads() ? helpers.refusal(wanted === 'auto') : 'memory cannot be shared here; a page must be cross-origin isolated for it';
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

export type HelperTeam = Pick<WorkerEndpoint, 'terminate'>;

/** Starts the helpers of an instance: all, or none and a rejection. */
export async function startHelpers(
  { exports }: WebAssembly.Instance,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  threads: number,
): Promise<HelperTeam> {
  const native = exports as unknown as ThreadedExports;
  const workers: WorkerEndpoint[] = [];
  const terminate = () => workers.forEach((worker) => worker.terminate());
  native.set_threads(threads);
  try {
    for (let thread = 1; thread < threads; ++thread) workers.push(helpers.start());
    await Promise.all(
      workers.map((worker, i) => started(worker, { module, memory, thread: i + 1, address: native.helper_memory() })),
    );
    return { terminate };
  } catch (error) {
    terminate();
    throw new Error(`a helper thread: ${messageOf(error)}`);
  }
}

/** The process lives until the helper has answered, and not longer for its sake. */
async function started(worker: WorkerEndpoint, task: HelperTask): Promise<void> {
  worker.hold(true);
  let late: ReturnType<typeof setTimeout>;
  try {
    await new Promise<void>((resolve, reject) => {
      late = setTimeout(() => reject(new Error('it does not begin')), patience);
      worker.onFailure((reason) => reject(new Error(reason)));
      worker.listen((message) => {
        const { failure } = message as HelperReport;
        if (failure === undefined) resolve();
        else reject(new Error(failure));
      });
      if (task.address === 0) reject(new Error('no memory for its stack'));
      else worker.post(task);
    });
  } finally {
    clearTimeout(late!);
    worker.hold(false);
  }
}
