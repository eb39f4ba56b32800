// Helper threads of browsers.

import { endpointOf } from './browser_worker.js';
import type { HelperPlatform } from './helpers.js';

export const helpers: HelperPlatform = {
  processors: () => navigator.hardwareConcurrency ?? 1,
  refusal(automatic) {
    if (typeof document === 'object') return "the page's own thread may not wait for others";
    // Seen in Firefox 153: after some loads with helpers that were closed again, no worker starts any more.
    if (automatic && /Firefox/.test(navigator.userAgent)) return 'Firefox does not always end threads';
    return typeof Worker === 'function' ? undefined : 'there are no workers here';
  },
  // Bundlers look for exactly this form.
  start: () => endpointOf(new Worker(new URL('./helper.js', import.meta.url), { type: 'module', name: 'quintet-helper' })),
};
