// Workers in browsers.

import type { Threads, WorkerEndpoint, WorkerScript } from '../threads.js';

export const threads: Threads = {
  worker: true,
  sendsBlobs: true,
  startWorker,
};

// Bundlers look for exactly this form. Webpack merges workers of the same name into one file.
const scripts: Record<WorkerScript, () => Worker> = {
  embedder_worker: () =>
    new Worker(new URL('./embedder_worker.js', import.meta.url), { type: 'module', name: 'quintet-embedder' }),
  reranker_worker: () =>
    new Worker(new URL('./reranker_worker.js', import.meta.url), { type: 'module', name: 'quintet-reranker' }),
  generator_worker: () =>
    new Worker(new URL('./generator_worker.js', import.meta.url), { type: 'module', name: 'quintet-generator' }),
  memory64_worker: () =>
    new Worker(new URL('./memory64_worker.js', import.meta.url), { type: 'module', name: 'quintet-memory64' }),
  classifier_worker: () =>
    new Worker(new URL('./classifier_worker.js', import.meta.url), { type: 'module', name: 'quintet-classifier' }),
  files_worker: () =>
    new Worker(new URL('./files_worker.js', import.meta.url), { type: 'module', name: 'quintet-files' }),
  compute_thread: () =>
    new Worker(new URL('./compute_thread.js', import.meta.url), { type: 'module', name: 'quintet-compute' }),
};

function startWorker(script: WorkerScript): WorkerEndpoint {
  return endpointOf(scripts[script]());
}

/** A worker, seen from outside. */
function endpointOf(worker: Worker): WorkerEndpoint {
  let failed: (reason: string) => void;
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (onMessage) => {
      worker.onmessage = ({ data }) => onMessage(data);
    },
    onFailure: (callback) => {
      failed = callback;
      worker.onerror = (event) => {
        event.preventDefault();
        failed(event.message || 'its script cannot be loaded');
      };
      worker.onmessageerror = () => failed('a message cannot be read');
    },
    watch: (lock) => void navigator.locks.request(lock, () => failed('it ended')).catch(() => {}),
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}
