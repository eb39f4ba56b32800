// Images for the calibration of static quantization, as the network sees them.

import type { Engine } from './engine.js';
import { pictureOf, pixelsOf } from './image_input.js';
import { unwrap, type NativeConvertModule } from './native.js';
import type { ImageInput } from './types.js';

/** Scaled, cut to `size` x `size`, normalised: three planes of `size` x `size` values. */
export async function networkInput(
  engine: Engine<NativeConvertModule>,
  image: ImageInput,
  size: number,
): Promise<Float32Array> {
  const { data, width, height, channels } = await pixelsOf(await pictureOf(image));
  return engine.run((native) => unwrap(native.prepareImage(data, width, height, channels, size)));
}
