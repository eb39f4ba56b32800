// The thread that started this worker, in Node.

import { parentPort } from 'node:worker_threads';

import type { Endpoint } from '../threads.js';

export const parent: Endpoint = {
  post: (message, transfer = []) => parentPort!.postMessage(message, transfer as never),
  listen: (onMessage) => void parentPort!.on('message', onMessage),
};
