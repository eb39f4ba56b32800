// Helper threads of Node.

import { availableParallelism } from 'node:os';

import type { HelperPlatform } from './helpers.js';

export const helpers: HelperPlatform = {
  processors: availableParallelism,
  refusal: () => undefined,
};
