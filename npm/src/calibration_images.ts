// Images for the calibration of static quantization, as the network sees them.

import { images } from 'quintet-images';

import { isA, isBytes, typeName } from './byte_source.js';
import type { Engine } from './engine.js';
import { inputError } from './errors.js';
import { unwrap, type NativeConvertModule } from './native.js';
import type { ImageInput, RawImage } from './types.js';

/** Scaled, cut to `size` x `size`, normalised: three planes of `size` x `size` values. */
export async function networkInput(
  engine: Engine<NativeConvertModule>,
  image: ImageInput,
  size: number,
): Promise<Float32Array> {
  const { data, width, height, channels } = checked(await pixelsOf(image));
  return engine.run((native) => unwrap(native.prepareImage(bytesOf(data), width, height, channels, size)));
}

async function pixelsOf(image: ImageInput): Promise<RawImage> {
  if (isBytes(image)) return images.decode(image);
  if (isA(image, 'Blob', 'File')) return images.decode(new Uint8Array(await (image as Blob).arrayBuffer()));
  if (typeof image !== 'object' || image === null || !('data' in image)) {
    throw inputError('wrong_type', `an image cannot come from ${typeName(image)}`);
  }
  const { data, width, height } = image;
  // ImageData says nothing of its channels, which are always four.
  return { data, width, height, channels: image.channels ?? 4 };
}

/** As far as native code cannot see it. */
function checked(image: RawImage): RawImage {
  const { data, width, height, channels } = image;
  if (![width, height, channels].every((count) => Number.isInteger(count) && count > 0 && count <= 65536)) {
    throw inputError('out_of_range', `an image of ${width} x ${height} pixels with ${channels} channels`);
  }
  if (isBytes(data) || isA(data, 'Uint8ClampedArray', 'Float32Array')) return image;
  throw inputError('wrong_type', `the pixels of an image cannot come from ${typeName(data)}`);
}

/** Floats run from 0 to 1. */
function bytesOf(data: RawImage['data']): Uint8Array {
  if (data instanceof Float32Array) return new Uint8Array(Uint8ClampedArray.from(data, (x) => x * 255).buffer);
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}
