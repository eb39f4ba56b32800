// Starts a worker, and waits for its first message, since some failures are only reported later.

import { threads } from '#platform/threads';

import { abortable } from '../base/abort.js';
import type { WorkerEndpoint, WorkerScript } from '../platform/threads.js';
import type { FromWorker } from './protocol.js';

/** Rejects with a plain Error if workers are not available. */
export async function startWorker(script: WorkerScript, signal: AbortSignal | undefined): Promise<WorkerEndpoint> {
  const worker = threads.startWorker(script);
  worker.hold(true);
  const started = new Promise<void>((resolve, reject) => {
    worker.onFailure((reason) => reject(new Error(reason)));
    worker.listen((message) => {
      const { kind, lock } = message as FromWorker & { kind: 'ready' };
      if (kind !== 'ready') return;
      if (lock) worker.watch?.(lock);
      resolve();
    });
  });
  try {
    await abortable(started, signal);
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
