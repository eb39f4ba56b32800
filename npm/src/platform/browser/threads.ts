// Workers in browsers.

import workers from 'quintet-workers';

import type { Threads, WorkerEndpoint, WorkerScript } from '../threads.js';

export const threads: Threads = {
  worker: true,
  sendsBlobs: true,
  startWorker,
};

function startWorker(script: WorkerScript): WorkerEndpoint {
  return endpointOf(workers[script]!());
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
