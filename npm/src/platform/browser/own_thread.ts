// The thread that this code runs in, in browsers: who started it, if it is a worker, and how many processors it has.

import type { Parent, Processors } from '../threads.js';

export const parent: Parent = {
  /** WebKit runs a worker's script again when a part that is loaded later imports from it, as parts of bundlers do. */
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

export const processors: Processors = {
  count: () => navigator.hardwareConcurrency ?? 1,
  refusal() {
    if (typeof document === 'object') return "the page's own thread may not wait for others";
    return typeof Worker === 'function' ? undefined : 'workers are not available here';
  },
};
