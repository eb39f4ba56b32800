// The options of converting.

import type { ModelFormat, ReadOptions } from '../base/types.js';
import type { ImageInput } from '../images/pixels.js';

export interface ConvertProgress {
  /** The tensor that was written last. */
  tensor: string;
  /** Tensors that are written, and all of them. */
  done: number;
  total: number;
}

/** Which a format takes is told by docs/cli.md; an error says where it takes none of that name. */
export type Quantization =
  | 'none'
  | 'f16'
  | 'bf16'
  // .amb; .alt takes int8 and int4
  | 'int8'
  | 'int4'
  | 'int5'
  | 'int4block'
  | 'int5block'
  | 'adaptive'
  // .weights
  | 'int8-row'
  | 'int8-group'
  // tinyRuntime
  | 'dq8'
  | 'dq8-symmetric'
  | 'sq8';

/** Default: as the source stores it, or as near to that as the format can. */
export interface ConvertOptions extends Omit<ReadOptions, 'onProgress'> {
  to: Exclude<ModelFormat, 'gguf'>;
  quantize?: Quantization;
  /** Values that share a scale. 0: all of a tensor. */
  groupSize?: number;
  /** What .amb files store scales as. */
  scaleType?: 'fp16' | 'fp32';
  /** Average bits per weight of 'adaptive'. */
  bits?: number;
  /** Images like those that the network will see; 'sq8' needs them to learn the ranges of its activations. */
  calibration?: Iterable<ImageInput> | AsyncIterable<ImageInput>;
  /** How 'sq8' finds a range: from all values ('minmax'), or without rare outliers ('histogram'). */
  observer?: 'minmax' | 'histogram';
  /** Entries that replace those of the source, or come on top. */
  metadata?: Record<string, unknown>;
  onProgress?(progress: ConvertProgress): void;
}
