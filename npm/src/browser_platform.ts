// Browsers, and whatever else follows their standards.

import { inputError, unsupported } from './errors.js';
import type { Platform } from './platform.js';

export const platform: Platform = {
  hasCache: true,
  resolve(location) {
    try {
      return new URL(location, globalThis.document?.baseURI ?? globalThis.location?.href);
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  async openFile(location) {
    throw unsupported(`${location}: file: URLs cannot be read here`);
  },
};
