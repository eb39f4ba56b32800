// What the functions on files ask of the engine that reads them.

import type { ModelInfo, WasmSource } from '../base/types.js';
import type { CallWatch, MethodTable } from '../remote/calls.js';

/** A tensor's values, whatever type they are stored in. */
export interface TensorValues {
  dtype: string;
  shape: number[];
  data: Float32Array;
}

export interface FilesHostOptions {
  wasm: WasmSource | undefined;
}

/** Those that read one file tell LoadProgress. */
export interface FilesCalls {
  inspect(watch: CallWatch): Promise<ModelInfo>;
  validate(watch: CallWatch): Promise<ModelInfo>;
  readTensor(watch: CallWatch, name: string): Promise<TensorValues>;
  /**
   * Gives the bytes of the converted model piece by piece, tells ConvertProgress, and asks for pictures where it must learn from
   * some: undefined when there are no more. `settings`: JSON of ConvertOptions without functions and pictures.
   */
  convert(watch: CallWatch, settings: string): Promise<void>;
}

export const filesMethods: MethodTable<FilesCalls> = {
  inspect: true,
  validate: true,
  readTensor: true,
  convert: true,
};
