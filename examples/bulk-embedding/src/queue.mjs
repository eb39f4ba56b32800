// The queue of a run: BullMQ on Redis.
import { Queue } from 'bullmq';

/** Tried again for as long as it takes: Redis may be restarted in the midst of a run. */
export const connectionTo = (url) => ({ url, maxRetriesPerRequest: null });

/** Defaults of what an operator may set. */
export const RETRIES = { attempts: 5, backoffMs: 1000 };

/** @param {import('./run.mjs').Run} run */
export function openQueue(run, url) {
  const queue = new Queue(run.name, { connection: connectionTo(url) });
  queue.on('error', reportOnce());
  return queue;
}

/** A name that is the same whoever produces: a job that is there already is not added again. */
export const jobId = ({ chunk, sha256 }) => `chunk-${chunk}-${sha256.slice(0, 16)}`;

/** Finished jobs stay until the index is made: they are what a second producer is told by. */
export const jobOptions = ({ attempts, backoffMs }, chunk) => ({
  jobId: jobId(chunk),
  attempts,
  // Jitter: workers that failed together, for want of the shared folder, say, do not come back together.
  backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
  removeOnComplete: false,
  removeOnFail: false,
});

/** Says what is wrong with Redis when it changes, not at every try. */
export function reportOnce(write = (line) => process.stderr.write(line)) {
  let last;
  return (error) => {
    const message = error.message || error.code;
    if (message !== last) write(`redis: ${message}; trying again\n`);
    last = message;
  };
}
