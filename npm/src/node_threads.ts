// Workers of Node.

import { startScript } from './node_worker.js';
import type { Threads, WorkerEndpoint, WorkerScript } from './threads.js';

export const threads: Threads = {
  worker: false,
  // Those of `openAsBlob` refuse.
  sendsBlobs: false,
  startWorker,
};

function startWorker(script: WorkerScript): WorkerEndpoint {
  return startScript(new URL(`./node_${script}.js`, import.meta.url));
}
