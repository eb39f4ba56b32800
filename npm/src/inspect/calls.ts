// The calls from the functions that read files to their host.

import type { ModelInfo } from '../base/types.js';
import type { CallContext } from '../worker/calls.js';
import type { TensorValues } from './options.js';

/** Each reads the one file of the call, and sends LoadProgress as events. */
export interface InspectCalls {
  /** `load`: PlannedLoad as JSON. */
  inspect(watch: CallContext, load: string): Promise<ModelInfo>;
  validate(watch: CallContext): Promise<ModelInfo>;
  readTensor(watch: CallContext, name: string): Promise<TensorValues>;
}
