// The processors in Node.

import { availableParallelism } from 'node:os';

import type { Processors } from '../threads.js';

export const processors: Processors = {
  count: availableParallelism,
  refusal: () => undefined,
};
