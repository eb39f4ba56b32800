// The options of `convert`.

import type { ModelFormat, ModelInput, ReadOptions } from '../base/types.js';
import type { ImageInput } from '../images/types.js';

/** Progress of a conversion. */
export interface ConvertProgress {
  /** The tensor that was written last. */
  tensor: string;
  /** Number of tensors written so far. */
  done: number;
  /** Number of all tensors. */
  total: number;
}

/** Each format supports some of these, see docs/cli.md. Others are an error (UNSUPPORTED or INPUT). */
export type Quantization =
  | 'none'
  | 'f16'
  | 'bf16'
  // .amb; .alt allows int8 and int4, safetensors of an image network int8
  | 'int8'
  | 'int4'
  | 'int5'
  | 'int4block'
  | 'int5block'
  | 'adaptive'
  // .weights
  | 'int8-row'
  | 'int8-group'
  // tinyRuntime; dq8 saves memory, but ResNet-18 takes about 1.35 times as long as in float32
  | 'dq8'
  | 'dq8-symmetric'
  | 'sq8';

/** An adapter to be added to the weights of a text generator. */
export interface MergedAdapter {
  /** A folder of PEFT or a GGUF file, as for `loadAdapter`. */
  adapter: ModelInput;
  /** Multiplies its product. Default 1. */
  scale?: number;
}

/** Options of `convert`. */
export interface ConvertOptions extends Omit<ReadOptions, 'onProgress'> {
  /** Format of the new file. */
  to: Exclude<ModelFormat, 'gguf'>;
  /** Default: as in the source, or the closest type that the format supports. */
  quantize?: Quantization;
  /** Number of values that share a scale; 0: the whole tensor. */
  groupSize?: number;
  /** The type of scales in .amb files. */
  scaleType?: 'fp16' | 'fp32';
  /** With 'adaptive': average number of bits per weight, 4 to 16. */
  bits?: number;
  /** Typical input images. Required for 'sq8', which derives the ranges of activations from them. */
  calibration?: Iterable<ImageInput> | AsyncIterable<ImageInput>;
  /** The choice of ranges by 'sq8': from all values ('minmax'), or without rare outliers ('histogram'). */
  observer?: 'minmax' | 'histogram';
  /** Low-rank adapters whose products are added to the matrices before these are stored. */
  merge?: readonly MergedAdapter[];
  /** Metadata to add to that of the source, or to replace entries of it. */
  metadata?: Record<string, unknown>;
  /** Called with the progress. If it throws, the stream fails with that exception. */
  onProgress?(progress: ConvertProgress): void;
}
