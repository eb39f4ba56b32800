// The calls from `convert` to its host, which also reads single files: the module and its worker are the same.

import { type InspectCalls, inspectMethods } from '../inspect/calls.js';
import type { CallContext, MethodTable } from '../worker/calls.js';

export interface FilesCalls extends InspectCalls {
  /**
   * Sends the bytes of the converted model as items and ConvertProgress as events, and asks for calibration pictures if
   * needed (undefined: no more). `settings`: ConvertOptions without functions and pictures, as JSON.
   */
  convert(watch: CallContext, settings: string): Promise<void>;
}

export const filesMethods: MethodTable<FilesCalls> = { ...inspectMethods, convert: true };
