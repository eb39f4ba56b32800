// What the answer to a request is made from.

import type { Metrics } from './metrics.js';
import type { Models } from './models.js';

export interface Context {
  models: Models;
  metrics: Metrics;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}
