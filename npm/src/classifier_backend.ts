// What an ImageClassifier asks of the network behind it.

import type { CallWatch, Description, HostLoadOptions } from './backend.js';
import type { Picture } from './image_input.js';

export interface ClassifierHostOptions extends HostLoadOptions {
  /** '': not given. */
  format: string;
  kind: string;
}

export interface ClassifierDescription extends Description {
  classes: number;
  usualInputSize: number;
}

/** How a picture becomes an input, all settled. */
export interface Preparation {
  size: number;
  shorterSide: number;
  mean: readonly number[];
  std: readonly number[];
}

export interface ClassifierCalls {
  logitsOfPicture(watch: CallWatch, picture: Picture, preparation: Preparation): Promise<Float32Array>;
  logitsOfInput(watch: CallWatch, input: Float32Array, shape: readonly number[]): Promise<Float32Array>;
}
