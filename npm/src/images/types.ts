// The kinds of images that callers can pass, and the pixels that networks get.

/** Pixels of shape [height, width, channels], row by row. */
export interface RawImage {
  /** Integers from 0 to 255, or floats from 0 to 1. */
  data: Uint8Array | Uint8ClampedArray | Float32Array;
  width: number;
  height: number;
  /** 1: gray, 3: RGB, 4: RGBA, of which alpha is ignored. */
  channels: 1 | 3 | 4;
}

/** An image in the form that the network expects. */
export interface PreparedImage {
  /** Red, green and blue planes, normalized. */
  data: Float32Array;
  shape: [channels: number, height: number, width: number];
}

/** Instances of browser classes; `never` without the DOM types. */
type OfPages<Name extends string> = Name extends unknown
  ? typeof globalThis extends Record<Name, { prototype: infer Instance }>
    ? Instance
    : never
  : never;

/**
 * Pixels, ImageData, or the bytes of a JPEG or PNG file. In browsers also any other image file that the browser can
 * decode, and images, canvases, videos and bitmaps of the page.
 */
export type ImageInput =
  | RawImage
  | { data: Uint8ClampedArray; width: number; height: number; channels?: undefined }
  | Blob
  | Uint8Array
  | ArrayBuffer
  | OfPages<
      'ImageBitmap' | 'HTMLImageElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'HTMLVideoElement' | 'VideoFrame'
    >;
