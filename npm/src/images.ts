// How browsers and Node differ in images. The build puts browser_images.ts or node_images.ts in the place of
// 'quintet-images'.

import type { Pixels } from './image_input.js';

/** As kMaxPixels of src/image/resize.h. */
export const mostPixels = 64 << 20;

export interface Images {
  /** What an image can come from, for messages. */
  readonly taken: string;
  /** What a page shows, as it is at the call; undefined for everything else. Absent where there are no pages. */
  draw?(image: unknown): Promise<ImageBitmap> | undefined;
  /** The pixels of a file: JPEG and PNG, in browsers whatever else they can show. Or of what was drawn, which is closed. */
  decode(picture: Uint8Array | ImageBitmap): Promise<Pixels>;
}
