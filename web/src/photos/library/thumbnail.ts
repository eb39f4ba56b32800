// Small pictures for the grid.

/** Twice the width of a picture in the grid, for dense screens. */
const maxSide = 320;
const jpeg = { type: 'image/jpeg', quality: 0.8 };

/** Undefined if the browser cannot decode the file. */
export async function thumbnailOf(file: Blob): Promise<Blob | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    try {
      return await scaled(bitmap);
    } finally {
      bitmap.close();
    }
  } catch {
    return undefined;
  }
}

function scaled(bitmap: ImageBitmap): Promise<Blob> {
  const factor = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(factor * side)));
  const canvas = new OffscreenCanvas(width!, height!);
  const context = canvas.getContext('2d')!;
  // JPEG has no transparency.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width!, height!);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width!, height!);
  return canvas.convertToBlob(jpeg);
}
