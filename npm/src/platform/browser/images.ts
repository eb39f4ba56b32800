// Decodes and captures images in browsers.

import { type ErrorReason, inputError, messageOf, QuintetError, requireGlobals } from '../../base/errors.js';
import { isA, isBytes } from '../../base/values.js';
import { checkSize, type Images } from '../../images/pixels.js';

// The samples of the file, without conversion to the color space of the screen. The EXIF orientation is applied (the
// default), so that the classifier sees what people see.
const asStored: ImageBitmapOptions = { colorSpaceConversion: 'none' };

const drawable = [
  'ImageBitmap',
  'HTMLImageElement',
  'HTMLCanvasElement',
  'OffscreenCanvas',
  'HTMLVideoElement',
  'VideoFrame',
];

export const images: Images = {
  taken:
    'ImageData, an ImageBitmap, an <img>, <canvas> or <video>, pixels { data, width, height, channels }, ' +
    'or a Blob or the bytes of a picture',
  decodesAside: true,
  draw: (image) => (isA(image, ...drawable) ? draw(image as Drawable) : undefined),

  async decode(picture) {
    requireGlobals('createImageBitmap', 'OffscreenCanvas');
    const bitmap = isBytes(picture) ? await decodeFile(picture) : picture;
    try {
      const { width, height } = bitmap;
      checkSize(width, height);
      return { data: new Uint8Array(samplesOf(bitmap, width, height).buffer), width, height, channels: 4 };
    } finally {
      bitmap.close();
    }
  },
};

type Drawable = ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | HTMLVideoElement | VideoFrame;

async function draw(image: Drawable): Promise<ImageBitmap> {
  requireGlobals('createImageBitmap', 'OffscreenCanvas');
  if (emptySides(image)) {
    throw inputError('missing', 'an image is empty: not loaded yet, failed to load, or closed');
  }
  const bitmap = await createImageBitmap(image, asStored).catch((error) => {
    throw pictureError('INPUT', 'wrong_type', 'drawn', error);
  });
  try {
    // Pixels of other origins can neither be read nor sent to a worker. Reading one pixel shows that.
    samplesOf(bitmap, 1, 1);
  } catch (error) {
    bitmap.close();
    throw error;
  }
  return bitmap;
}

/** Whether the image has no pixels. For elements, the size of the underlying image counts. */
function emptySides(image: Drawable): boolean {
  if ('naturalWidth' in image) return image.naturalWidth * image.naturalHeight === 0;
  if ('videoWidth' in image) return image.videoWidth * image.videoHeight === 0;
  return 'codedWidth' in image ? image.codedWidth === 0 : image.width * image.height === 0;
}

function decodeFile(bytes: Uint8Array): Promise<ImageBitmap> {
  return createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), asStored).catch((error) => {
    throw pictureError('FORMAT', 'malformed', 'decoded', error);
  });
}

/** RGBA samples of the top left `width` x `height` pixels. */
function samplesOf(bitmap: ImageBitmap, width: number, height: number): Uint8ClampedArray {
  try {
    // Keeps the canvas in main memory: one on the graphics card would have to be copied back.
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') {
      const message = 'cannot read an image of another origin that was loaded without crossorigin';
      throw new QuintetError('INPUT', message, { reason: 'tainted', cause: error });
    }
    throw pictureError('MEMORY', 'out_of_memory', `read (${width} x ${height} pixels)`, error);
  }
}

function pictureError(
  code: 'INPUT' | 'FORMAT' | 'MEMORY',
  reason: ErrorReason,
  what: string,
  cause: unknown,
): QuintetError {
  return new QuintetError(code, `an image cannot be ${what}: ${messageOf(cause)}`, { reason, cause });
}
