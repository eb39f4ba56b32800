// The thread that this code runs in, in Node: who started it, if it is a worker, and how many processors it has.

import { availableParallelism } from 'node:os';
import { parentPort } from 'node:worker_threads';

import type { Endpoint, Processors } from '../threads.js';

export const parent: Endpoint = {
  post: (message, transfer = []) => parentPort!.postMessage(message, transfer as never),
  listen: (onMessage) => void parentPort!.on('message', onMessage),
};

export const processors: Processors = {
  count: availableParallelism,
  refusal: () => undefined,
};
