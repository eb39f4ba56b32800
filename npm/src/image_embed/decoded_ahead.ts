// Pictures that are read and decoded while the network computes.

import { abortable } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { typeName } from '../base/values.js';
import type { Pixels } from '../images/pixels.js';
import type { ImageInput } from '../images/types.js';

export type Images = Iterable<ImageInput> | AsyncIterable<ImageInput>;

/** Reads and decodes one picture ahead of the one that was taken, so that at most two are in memory. */
export class DecodedAhead {
  private readonly iterator: AsyncIterator<ImageInput> | Iterator<ImageInput>;
  private next: Promise<Pixels | undefined> | undefined;
  private isReading = false;
  private ended = false;
  /** The error of the source, which ends the iteration. */
  failure: unknown;

  constructor(
    images: Images,
    private readonly decode: (image: ImageInput) => Promise<Pixels>,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.iterator = iteratorOf(images);
  }

  /** Undefined at the end. After an error of a picture, the next one can be taken. */
  async take(): Promise<Pixels | undefined> {
    const coming = this.next ?? this.read();
    this.next = undefined;
    const pixels = await coming;
    if (pixels) {
      this.next = this.read();
      // Reported when it is the turn of that picture.
      this.next.catch(() => {});
    }
    return pixels;
  }

  /** Informs the source that no more pictures will be read. */
  async close(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    const closing = Promise.resolve(this.iterator.return?.());
    // A source that hangs in next() would also hang in return().
    if (this.isReading) closing.catch(() => {});
    else await closing;
  }

  private async read(): Promise<Pixels | undefined> {
    if (this.ended) return undefined;
    this.isReading = true;
    const reading = Promise.resolve(this.iterator.next()).catch((error: unknown) => {
      this.ended = true;
      this.failure = error;
      throw error;
    });
    const { done, value } = await abortable(reading, this.signal);
    this.isReading = false;
    if (done) {
      this.ended = true;
      return undefined;
    }
    return this.decode(value);
  }
}

function iteratorOf(images: Images): AsyncIterator<ImageInput> | Iterator<ImageInput> {
  if (typeof images === 'object' && images !== null) {
    if (Symbol.asyncIterator in images) return images[Symbol.asyncIterator]();
    if (Symbol.iterator in images) return images[Symbol.iterator]();
  }
  throw inputError('wrong_type', `images must be an iterable of images, not ${typeName(images)}`);
}
