// The calls from `convert` to its host, which also reads single files: the module and its worker are the same.

import type { InspectCalls } from '../inspect/calls.js';
import type { CallContext } from '../worker/calls.js';

export interface FilesCalls extends InspectCalls {
  /**
   * Sends the bytes of the converted model as items and ConvertProgress as events, and asks for calibration pictures if
   * needed (undefined: no more). `settings`: ConvertOptions without functions, pictures and adapters, as JSON. The last
   * files of the call are those of the adapters.
   */
  convert(watch: CallContext, settings: string, adapters: readonly AdapterFiles[]): Promise<void>;
}

/** Can be sent between threads. */
export interface AdapterFiles {
  /** Number of its files. */
  count: number;
  scale: number;
}
