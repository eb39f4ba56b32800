// What started this worker, in browsers.

import type { Endpoint } from './threads.js';

export const parent: Endpoint = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen: (onMessage) => {
    self.onmessage = ({ data }) => onMessage(data);
  },
};
