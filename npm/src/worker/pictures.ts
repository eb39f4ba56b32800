// Calls with pictures: they are captured at the time of the call, and wait in the queue of their model.

import { images } from '#platform/images';

import type { CallQueue } from '../base/call_queue.js';
import { type Picture, pictureOf } from '../images/image_input.js';
import type { ImageInput } from '../images/types.js';

export const capture = (image: ImageInput): Promise<Picture> => pictureOf(image, images);

/** Queues the call at once, and captures the image now. */
export function withPicture<R>(
  queue: CallQueue,
  image: ImageInput,
  signal: AbortSignal | undefined,
  compute: (picture: Picture) => Promise<R>,
): Promise<R> {
  const picture = capture(image);
  // Errors of the image are reported when the turn of the call comes.
  picture.catch(() => {});
  return queue.run(async () => compute(await picture), { signal });
}
