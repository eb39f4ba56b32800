// The calls from an ImageClassifier to its host.

import type { Picture } from '../images/image_input.js';
import type { CallContext, HostLoadOptions, MethodTable, ModelDescription } from '../worker/calls.js';
import type { ModelHandle } from '../worker/model_handle.js';

export interface ClassifierHostOptions extends HostLoadOptions {
  /** '' if not given. */
  format: string;
  /** '' if not given. */
  kind: string;
}

export interface ClassifierDescription extends ModelDescription {
  classes: number;
  usualInputSize: number;
}

/** How an image is preprocessed, with defaults filled in. */
export interface Preparation {
  size: number;
  shorterSide: number;
  mean: readonly number[];
  std: readonly number[];
}

export interface ClassifierCalls {
  logitsOfPicture(watch: CallContext, picture: Picture, preparation: Preparation): Promise<Float32Array>;
  logitsOfInput(watch: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array>;
}

export const classifierMethods: MethodTable<ClassifierCalls> = {
  logitsOfPicture: true,
  logitsOfInput: true,
};

export type ClassifierHandle = ModelHandle<ClassifierCalls, ClassifierDescription>;
