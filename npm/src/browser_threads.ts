// Workers of browsers.

import { endpointOf } from './browser_worker.js';
import type { Threads, WorkerEndpoint, WorkerScript } from './threads.js';

export const threads: Threads = {
  worker: true,
  sendsBlobs: true,
  startWorker,
};

// Bundlers look for exactly this form. Webpack joins workers of one name in one file.
const scripts: Record<WorkerScript, () => Worker> = {
  worker: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'quintet' }),
  generator_worker: () =>
    new Worker(new URL('./generator_worker.js', import.meta.url), { type: 'module', name: 'quintet-generator' }),
  memory64_worker: () =>
    new Worker(new URL('./memory64_worker.js', import.meta.url), { type: 'module', name: 'quintet-memory64' }),
  classifier_worker: () =>
    new Worker(new URL('./classifier_worker.js', import.meta.url), { type: 'module', name: 'quintet-classifier' }),
  helper: () => new Worker(new URL('./helper.js', import.meta.url), { type: 'module', name: 'quintet-helper' }),
};

function startWorker(script: WorkerScript): WorkerEndpoint {
  return endpointOf(scripts[script]());
}
