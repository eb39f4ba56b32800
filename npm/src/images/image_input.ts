// Converts every kind of ImageInput to one of three, and these to pixels.

import { inputError, ioError, messageOf } from '../base/errors.js';
import { isA, isBytes, typeName } from '../base/values.js';
import { checkSize, type Images, type Pixels } from './pixels.js';
import type { ImageInput, RawImage } from './types.js';

/** The bytes of a file, pixels, or a bitmap: always a copy, so that it can be transferred. */
export type Picture = Uint8Array | Pixels | ImageBitmap;

/** Captures an image at the time of the call. */
export async function pictureOf(image: ImageInput, images: Images): Promise<Picture> {
  if (isBytes(image)) return fileOf(image);
  if (isA(image, 'ArrayBuffer')) return fileOf(new Uint8Array(image as ArrayBuffer));
  if (isA(image, 'Blob', 'File')) return fileOf(await blobBytes(image as Blob));
  const drawn = images.draw?.(image);
  if (drawn) return drawn;
  if (typeof image === 'object' && image !== null && 'data' in image) return pixelsIn(image);
  throw inputError('wrong_type', `an image must be ${images.taken}, not ${typeName(image)}`);
}

/** The pixels of a picture. Closes a bitmap. */
export async function pixelsOf(picture: Picture, images: Images): Promise<Pixels> {
  return 'channels' in picture ? picture : images.decode(picture);
}

/** The buffers that can be transferred to another thread. */
export function transferableOf(picture: Picture): Transferable[] {
  if (isBytes(picture)) return [picture.buffer as ArrayBuffer];
  return 'channels' in picture ? [picture.data.buffer as ArrayBuffer] : [picture];
}

function fileOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) throw inputError('missing', 'an image has no bytes, or its buffer was transferred');
  return new Uint8Array(bytes);
}

async function blobBytes(blob: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw ioError('read_failed', `cannot read the Blob of an image: ${messageOf(error)}`, error);
  }
}

function pixelsIn(image: Extract<ImageInput, { data: unknown }>): Pixels {
  // ImageData has no property for its channels, which are always four.
  const { data, width, height, channels = 4 } = image;
  const refuse = (reason: Parameters<typeof inputError>[0], what: string) => {
    throw inputError(reason, `an image of ${width} x ${height} pixels with ${channels} channels ${what}`);
  };
  if (![width, height].every((side) => Number.isInteger(side) && side > 0)) {
    refuse('out_of_range', 'needs a positive integer as width and height');
  }
  checkSize(width, height);
  if (![1, 3, 4].includes(channels)) refuse('out_of_range', 'needs 1, 3 or 4 channels');
  if (!isA(data, 'Uint8Array', 'Uint8ClampedArray', 'Float32Array')) {
    const taken = 'Uint8Array, Uint8ClampedArray or Float32Array';
    throw inputError('wrong_type', `pixels must be a ${taken}, not ${typeName(data)}`);
  }
  const count = width * height * channels;
  if (data.length !== count) refuse('mismatch', `needs ${count} samples, not ${data.length}`);
  return { data: samplesOf(data), width, height, channels };
}

/** A copy as bytes. */
function samplesOf(data: RawImage['data']): Uint8Array {
  if (!isA(data, 'Float32Array')) return new Uint8Array(data);
  const samples = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; ++i) {
    const sample = data[i]!;
    // Image filters may overshoot a little. Anything farther out, or NaN, is not in the range 0 to 1.
    if (!(sample >= -1 && sample <= 2)) {
      throw inputError('out_of_range', `a float of an image must be a number from 0 to 1, not ${sample}`);
    }
    samples[i] = sample * 255;
  }
  return new Uint8Array(samples.buffer);
}
