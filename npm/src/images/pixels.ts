// Pictures as pixels, and the interface through which each platform decodes them.

import { inputError } from '../base/errors.js';

/** 8-bit samples, row by row, with interleaved channels. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** Equal to kMaxPixels of src/image/resize.h. */
const maxPixels = 64 << 20;

/** @throws QuintetError INPUT for a picture that is too large */
export function checkSize(width: number, height: number): void {
  if (width * height > maxPixels)
    throw inputError('limit', `an image of ${width} x ${height} pixels is too large: at most ${maxPixels} are allowed`);
}

/** Reads pictures on one platform. */
export interface Images {
  /** The accepted kinds of images, for messages. */
  readonly taken: string;
  /** Captures an element, a bitmap or a frame; undefined for everything else. Absent outside of browsers. */
  draw?(image: unknown): Promise<ImageBitmap> | undefined;
  /** Whether pictures are decoded outside the calling thread, so that this thread can compute meanwhile. */
  readonly decodesAside: boolean;
  /** The pixels of a JPEG or PNG file, in browsers of any file that they can show; or of a bitmap, which is closed. */
  decode(picture: Uint8Array | ImageBitmap): Promise<Pixels>;
}
