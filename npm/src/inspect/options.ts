// Options and results of reading files.

import type { ReadOptions } from '../base/types.js';

/** The options of a load that change its memory. Each has an effect only on models that have it. */
export interface PlannedLoad {
  /** Default 'none'. */
  quantize?: 'none' | 'int8' | 'int4';
  /** Tokens of a text generator's session. Default: all that the model supports. */
  contextLength?: number;
  /** Data type of the KV cache, or those of its keys and its values. Default 'f32'. */
  kvCache?:
    | 'f32'
    | 'f16'
    | 'int8'
    | 'int4'
    | { keys?: 'f32' | 'f16' | 'int8' | 'int4'; values?: 'f32' | 'f16' | 'int8' | 'int4' };
}

/** Options of `inspect`. */
export interface InspectOptions extends ReadOptions {
  /** The load for which `memory.load` is estimated. */
  load?: PlannedLoad;
}

/** Result of `readTensor`. */
export interface TensorValues {
  /** Type in which the file stores the values. */
  dtype: string;
  shape: number[];
  /** The values as float32, row-major. */
  data: Float32Array;
}
