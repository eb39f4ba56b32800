// The processors in browsers.

import type { Processors } from '../threads.js';

export const processors: Processors = {
  count: () => navigator.hardwareConcurrency ?? 1,
  refusal() {
    if (typeof document === 'object') return "the page's own thread may not wait for others";
    return typeof Worker === 'function' ? undefined : 'workers are not available here';
  },
};
