// A worker of a browser, seen from outside.

import type { WorkerEndpoint } from './threads.js';

export function endpointOf(worker: Worker): WorkerEndpoint {
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
