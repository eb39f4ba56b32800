// Workers in Node.

import { Worker } from 'node:worker_threads';

import { messageOf } from '../../base/errors.js';
import type { Threads, WorkerEndpoint, WorkerScript } from '../threads.js';

export const threads: Threads = {
  worker: false,
  // Blobs of `openAsBlob` cannot be cloned.
  sendsBlobs: false,
  ended: () => Promise.all(ending),
  startWorker,
};

// Node may crash if a worker starts while another one ends: https://github.com/nodejs/node/issues/56312.
const ending = new Set<Promise<unknown>>();

function startWorker(script: WorkerScript): WorkerEndpoint {
  return startScript(new URL(`./node_${script}.js`, import.meta.url));
}

function startScript(script: URL): WorkerEndpoint {
  // Node options such as --input-type or --inspect are meant for the program; some would prevent the worker from
  // starting.
  const worker = new Worker(script, { name: 'quintet', execArgv: [] });
  worker.unref();
  let isEnding = false;
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as never),
    listen: (onMessage) => void worker.on('message', onMessage),
    onFailure: (failed) => {
      worker.on('error', (error) => failed(messageOf(error)));
      worker.on('exit', (code) => failed(`it ended with code ${code}`));
    },
    // A worker that is ending keeps the process alive: a load may be waiting for its end.
    hold: (busy) => void (isEnding || (busy ? worker.ref() : worker.unref())),
    terminate: () => {
      isEnding = true;
      worker.ref();
      const ended = worker.terminate().finally(() => ending.delete(ended));
      ending.add(ended);
    },
  };
}
