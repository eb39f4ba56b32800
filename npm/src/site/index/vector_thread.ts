// Computes the vectors of a large site in another thread, while this one writes the other files.

import { processors } from '#platform/own_thread';
import { threads } from '#platform/threads';
import { QuintetError } from '../../base/errors.js';
import type { WorkerEndpoint } from '../../platform/threads.js';
import { fromPlain, type PlainError } from '../../worker/protocol.js';
import { sentJob, type VectorFiles, type VectorJob, vectorFiles } from './vector_files.js';

/** Words of passages from which on a thread saves more time than it takes to start: those of about 2,000 passages. */
const leastEntries = 150_000;

/** The messages of the thread. */
export type FromVectorThread = 'ready' | { value: VectorFiles } | { error: PlainError };

/** Computes the files, which are the same in any thread. */
export async function filesOf(job: VectorJob): Promise<VectorFiles> {
  const isWorthIt = job.waiting.entries >= leastEntries && processors.count() > 1;
  const worker = isWorthIt ? startedWorker() : undefined;
  if (!worker) return vectorFiles(job);
  worker.hold(true);
  try {
    return (await asked(worker, job)) ?? (await vectorFiles(job));
  } finally {
    worker.terminate();
  }
}

function startedWorker(): WorkerEndpoint | undefined {
  try {
    return threads.startWorker('site_vectors_worker');
  } catch {
    return undefined;
  }
}

/** Undefined if the thread cannot start, as where another bundler has left out its script; the job is unused then. */
const asked = (worker: WorkerEndpoint, job: VectorJob): Promise<VectorFiles | undefined> =>
  new Promise((resolve, reject) => {
    let isStarted = false;
    worker.onFailure((reason) => {
      if (!isStarted) resolve(undefined);
      else reject(new QuintetError('INTERNAL', `the worker failed: ${reason}`, { reason: 'worker' }));
    });
    worker.listen((message) => {
      const answer = message as FromVectorThread;
      if (answer === 'ready') {
        isStarted = true;
        worker.post(...sentJob(job));
      } else if ('error' in answer) reject(fromPlain(answer.error));
      else resolve(answer.value);
    });
  });
