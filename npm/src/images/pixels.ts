// Pictures as callers give them, and as pixels.

/** Pixels row by row, the channels of each together: grey, red green blue, or with an alpha that is not used. */
export interface RawImage {
  /** Floats run from 0 to 1. */
  data: Uint8Array | Uint8ClampedArray | Float32Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

/** The instances of classes that browsers have; none where the types of the DOM are not loaded. */
type OfPages<Name extends string> = Name extends unknown
  ? typeof globalThis extends Record<Name, { prototype: infer Instance }>
    ? Instance
    : never
  : never;

/** ImageData or pixels; the bytes of a JPEG or PNG file; in browsers also of other files that they can show, and what a page shows. */
export type ImageInput =
  | RawImage
  | { data: Uint8ClampedArray; width: number; height: number; channels?: undefined }
  | Blob
  | Uint8Array
  | ArrayBuffer
  | OfPages<'ImageBitmap' | 'HTMLImageElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'HTMLVideoElement' | 'VideoFrame'>;

/** 8-bit samples, row by row, the channels of a pixel together. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** As kMaxPixels of src/image/resize.h. */
export const mostPixels = 64 << 20;

/** How a platform reads pictures. */
export interface Images {
  /** What an image can come from, for messages. */
  readonly taken: string;
  /** What a page shows, as it is at the call; undefined for everything else. Absent where there are no pages. */
  draw?(image: unknown): Promise<ImageBitmap> | undefined;
  /** The pixels of a file: JPEG and PNG, in browsers whatever else they can show. Or of what was drawn, which is closed. */
  decode(picture: Uint8Array | ImageBitmap): Promise<Pixels>;
}
