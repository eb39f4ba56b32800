// The calls from the functions on files to their host.

import type { ModelInfo, WasmSource } from '../base/types.js';
import type { CallWatch, MethodTable } from '../remote/calls.js';
import type { TensorValues } from './types.js';

export interface FilesHostOptions {
  wasm: WasmSource | undefined;
}

/** Calls that read one file send LoadProgress as events. */
export interface FilesCalls {
  inspect(watch: CallWatch): Promise<ModelInfo>;
  validate(watch: CallWatch): Promise<ModelInfo>;
  readTensor(watch: CallWatch, name: string): Promise<TensorValues>;
  /**
   * Sends the bytes of the converted model as items and ConvertProgress as events, and asks for calibration pictures if
   * needed (undefined: no more). `settings`: ConvertOptions without functions and pictures, as JSON.
   */
  convert(watch: CallWatch, settings: string): Promise<void>;
}

export const filesMethods: MethodTable<FilesCalls> = {
  inspect: true,
  validate: true,
  readTensor: true,
  convert: true,
};
