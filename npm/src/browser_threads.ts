// Workers of browsers.

import type { Threads, WorkerEndpoint, WorkerScript } from './threads.js';

export const threads: Threads = {
  worker: true,
  sendsBlobs: true,
  startWorker,
};

// Bundlers look for exactly this form.
const scripts: Record<WorkerScript, () => Worker> = {
  worker: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'quintet' }),
  generator_worker: () =>
    new Worker(new URL('./generator_worker.js', import.meta.url), { type: 'module', name: 'quintet' }),
  classifier_worker: () =>
    new Worker(new URL('./classifier_worker.js', import.meta.url), { type: 'module', name: 'quintet' }),
};

function startWorker(script: WorkerScript): WorkerEndpoint {
  const worker = scripts[script]();
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (onMessage) => {
      worker.onmessage = ({ data }) => onMessage(data);
    },
    onFailure: (failed) => {
      worker.onerror = (event) => {
        event.preventDefault();
        failed(event.message || 'its script cannot be loaded');
      };
      worker.onmessageerror = () => failed('a message cannot be read');
    },
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}
