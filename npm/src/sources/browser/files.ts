// Locations in browsers, and in other environments with their standards.

import { inputError, unsupported } from '../../base/errors.js';
import type { Files } from '../files.js';

export const files: Files = {
  hasCache: true,
  resolve(location) {
    try {
      return new URL(location, globalThis.document?.baseURI ?? globalThis.location?.href);
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  async openFile(location) {
    throw unsupported(`${location}: pages cannot read file: URLs; pass the file itself as a Blob`);
  },
  // There is no environment and no folder. The option `cache` keeps files (sources/cache/).
  hub: {
    defaults: async () => ({ offline: false }),
    seesRedirects: false,
  },
};
