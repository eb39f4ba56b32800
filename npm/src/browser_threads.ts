// Workers of browsers.

import type { Threads, WorkerEndpoint } from './threads.js';

export const threads: Threads = {
  worker: true,
  sendsBlobs: true,
  startWorker,
  parent: () => ({
    post: (message, transfer = []) => self.postMessage(message, { transfer }),
    listen: (onMessage) => {
      self.onmessage = ({ data }) => onMessage(data);
    },
  }),
};

function startWorker(): WorkerEndpoint {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'quintet' });
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
