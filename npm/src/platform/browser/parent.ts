// The thread that started this worker, in browsers.

import type { Parent } from '../threads.js';

export const parent: Parent = {
  /** WebKit runs a worker's script once more when a part that is loaded later imports from it, as parts of bundlers do. */
  get isHeard() {
    return self.onmessage !== null;
  },
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen: (onMessage) => {
    self.onmessage = ({ data }) => onMessage(data);
  },
  holdLock: () =>
    new Promise((resolve) => {
      const name = `quintet ${Math.random()}`;
      const hold = () => {
        resolve(name);
        return new Promise(() => {});
      };
      const refused = () => resolve(undefined);
      if (navigator.locks) navigator.locks.request(name, hold).catch(refused);
      else refused();
    }),
};
