// The calls from an ImageClassifier to its host.

import type { Picture } from '../images/image_input.js';
import type { PreparedImage } from '../images/types.js';
import type { CallContext, HostLoadOptions, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';

export interface ClassifierHostOptions extends HostLoadOptions {
  /** '' if not given. */
  format: string;
  /** '' if not given. */
  kind: string;
  quantize: 'none' | 'int8';
  preparation: PreparationOptions;
}

export interface ClassifierDescription extends ModelDescription {
  classes: number;
  /** Empty if the files have none. */
  labels: string[];
  /** The height of the network's input. */
  inputSize: number;
}

/** The caller's settings of preprocessing; 0 or empty where the files decide. */
export interface PreparationOptions {
  size: number;
  shorterSide: number;
  mean: readonly number[];
  std: readonly number[];
}

export interface ClassifierCalls {
  logitsOfPicture(watch: CallContext, picture: Picture): Promise<Float32Array>;
  featuresOfPicture(watch: CallContext, picture: Picture): Promise<Float32Array>;
  prepare(watch: CallContext, picture: Picture): Promise<PreparedImage>;
  logitsOfInput(watch: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array>;
}

export type ClassifierHandle = ModelHandle<ClassifierCalls, ClassifierDescription>;
