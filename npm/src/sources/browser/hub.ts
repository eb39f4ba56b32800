// The Hub in browsers: there is no environment and no folder. The option `cache` keeps files (sources/cache/).

import { Sha256 } from '../../platform/browser/sha256.js';
import type { HubPlatform } from '../hub/types.js';

export const hub: HubPlatform = {
  defaults: async () => ({ offline: false }),
  seesRedirects: false,
  sha256() {
    const hash = new Sha256();
    return { update: (bytes) => hash.update(bytes), hex: () => hexOf(atob(hash.digest())) };
  },
};

const hexOf = (bytes: string) => Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
