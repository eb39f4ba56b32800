// All kinds of ImageInput become one of three, and these become pixels.

import { isA, isBytes, typeName } from '../base/values.js';
import { inputError, ioError, messageOf } from '../base/errors.js';
import { mostPixels, type ImageInput, type Images, type Pixels, type RawImage } from './pixels.js';

/** The bytes of a file, pixels, or what a browser has drawn: nothing of the caller's, so that it can be transferred. */
export type Picture = Uint8Array | Pixels | ImageBitmap;

/** The picture as it is at the call. */
export async function pictureOf(image: ImageInput, images: Images): Promise<Picture> {
  if (isBytes(image)) return fileOf(image);
  if (isA(image, 'ArrayBuffer')) return fileOf(new Uint8Array(image as ArrayBuffer));
  if (isA(image, 'Blob', 'File')) return fileOf(await blobBytes(image as Blob));
  const drawn = images.draw?.(image);
  if (drawn) return drawn;
  if (typeof image === 'object' && image !== null && 'data' in image) return pixelsIn(image);
  throw inputError('wrong_type', `an image cannot come from ${typeName(image)}, but from ${images.taken}`);
}

/** Closes a bitmap. */
export async function pixelsOf(picture: Picture, images: Images): Promise<Pixels> {
  return 'channels' in picture ? picture : images.decode(picture);
}

/** What can be handed over to another thread. */
export function transferableOf(picture: Picture): Transferable[] {
  if (isBytes(picture)) return [picture.buffer as ArrayBuffer];
  return 'channels' in picture ? [picture.data.buffer as ArrayBuffer] : [picture];
}

function fileOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) throw inputError('missing', 'an image has no bytes; or they were transferred elsewhere');
  return new Uint8Array(bytes);
}

async function blobBytes(blob: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw ioError('read_failed', `the blob of an image cannot be read: ${messageOf(error)}`, error);
  }
}

function pixelsIn(image: Extract<ImageInput, { data: unknown }>): Pixels {
  // ImageData says nothing of its channels, which are always four.
  const { data, width, height, channels = 4 } = image;
  const refuse = (reason: Parameters<typeof inputError>[0], what: string) => {
    throw inputError(reason, `an image of ${width} x ${height} pixels with ${channels} channels ${what}`);
  };
  if (![width, height].every((side) => Number.isInteger(side) && side > 0)) {
    refuse('out_of_range', 'needs whole numbers of pixels above 0');
  }
  if (width * height > mostPixels) refuse('limit', `is too large: ${mostPixels} pixels are the most`);
  if (![1, 3, 4].includes(channels)) refuse('out_of_range', 'needs 1, 3 or 4 channels');
  if (!isA(data, 'Uint8Array', 'Uint8ClampedArray', 'Float32Array')) {
    const taken = 'Uint8Array, Uint8ClampedArray or Float32Array';
    throw inputError('wrong_type', `the pixels of an image cannot come from ${typeName(data)}, but from ${taken}`);
  }
  const count = width * height * channels;
  if (data.length !== count) refuse('mismatch', `has ${count} samples, not ${data.length}`);
  return { data: samplesOf(data), width, height, channels };
}

/** A copy as bytes. */
function samplesOf(data: RawImage['data']): Uint8Array {
  if (!isA(data, 'Float32Array')) return new Uint8Array(data);
  const samples = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; ++i) {
    const sample = data[i]!;
    // Filters overshoot a little. What lies farther out are other numbers than 0..1, NaN among them.
    if (!(sample >= -1 && sample <= 2)) {
      throw inputError('out_of_range', `a float of an image is not a number from 0 to 1 but ${sample}`);
    }
    samples[i] = sample * 255;
  }
  return new Uint8Array(samples.buffer);
}
