// Pictures as pixels, and how a platform reads them.

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
