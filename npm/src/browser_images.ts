// Images in browsers, which can decode them.

import { messageOf, QuintetError } from './errors.js';
import type { Images } from './images.js';

export const images: Images = {
  async decode(bytes) {
    // Not shared with other threads, as a Blob demands.
    const blob = new Blob([bytes.slice()]);
    const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' }).catch((error) => {
      const message = `an image cannot be decoded: ${messageOf(error)}`;
      throw new QuintetError('FORMAT', message, { reason: 'malformed', cause: error });
    });
    try {
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return { data: context.getImageData(0, 0, width, height).data, width, height, channels: 4 };
    } finally {
      bitmap.close();
    }
  },
};
