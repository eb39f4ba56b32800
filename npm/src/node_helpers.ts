// Helper threads of Node.

import { availableParallelism } from 'node:os';

import type { HelperPlatform } from './helpers.js';
import { startScript } from './node_worker.js';

export const helpers: HelperPlatform = {
  processors: availableParallelism,
  refusal: () => undefined,
  start: () => startScript(new URL('./node_helper.js', import.meta.url)),
};
