// Service workers cannot start workers: models run in the service worker itself.

import type { Threads } from '../threads.js';

export const threads: Threads = {
  worker: false,
  sendsBlobs: true,
  startWorker: () => {
    throw new Error('service workers cannot start workers');
  },
};
