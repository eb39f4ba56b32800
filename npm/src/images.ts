// How browsers and Node differ in decoding images. The build puts browser_images.ts or node_images.ts in the place of
// 'quintet-images'.

import type { RawImage } from './types.js';

export interface Images {
  /** The pixels of a file's bytes: JPEG and PNG; in browsers whatever else they can show. */
  decode(bytes: Uint8Array): Promise<RawImage>;
}
