// Everything that the answer to a request is made from.

import type { Metrics } from './metrics.js';
import type { Models } from './models.js';
import type { OpenAIOptions } from './types.js';

export interface Context {
  models: Models;
  metrics: Metrics;
  options: OpenAIOptions;
  /** Its signal aborts when the client is gone, as long as the request itself is referenced. */
  request: Request;
}
