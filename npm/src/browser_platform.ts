// Browsers, and whatever else follows their standards.

import { inputError, unsupported } from './errors.js';
import type { Platform, WorkerEndpoint } from './platform.js';

export const platform: Platform = {
  worker: true,
  sendsBlobs: true,
  resolve(location) {
    try {
      return new URL(location, globalThis.document?.baseURI ?? globalThis.location?.href);
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  async openFile(location) {
    throw unsupported(`${location}: file: URLs cannot be read here`);
  },
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
