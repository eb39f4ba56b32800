// Helper threads of browsers.

import type { HelperPlatform } from './helpers.js';

export const helpers: HelperPlatform = {
  processors: () => navigator.hardwareConcurrency ?? 1,
  refusal() {
    if (typeof document === 'object') return "the page's own thread may not wait for others";
    return typeof Worker === 'function' ? undefined : 'there are no workers here';
  },
};
