// The queue of a run: BullMQ on Redis.
import { Queue } from 'bullmq';

/** Retries without limit: Redis may be restarted during a run. */
export const connectionTo = (url) => ({ url, maxRetriesPerRequest: null });

/** Defaults of the options. */
export const RETRIES = { attempts: 5, backoffMs: 1000 };

/** @param {import('./run.mjs').Run} run */
export function openQueue(run, url) {
  const queue = new Queue(run.name, { connection: connectionTo(url) });
  queue.on('error', reportOnce());
  return queue;
}

/** All producers give a chunk the same id, so that an existing job is not added again. */
export const jobId = ({ chunk, sha256 }) => `chunk-${chunk}-${sha256.slice(0, 16)}`;

/** Finished jobs stay until the index is made: a second producer needs them to skip their chunks. */
export const jobOptions = ({ attempts, backoffMs }, chunk) => ({
  jobId: jobId(chunk),
  attempts,
  // Jitter: workers that failed together, without the shared folder for example, do not retry together.
  backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
  removeOnComplete: false,
  removeOnFail: false,
});

/** Reports a problem with Redis once, not at every attempt. */
export function reportOnce(write = (line) => process.stderr.write(line)) {
  let last;
  return (error) => {
    const message = error.message || error.code;
    if (message !== last) write(`redis: ${message}; retrying\n`);
    last = message;
  };
}
