// Objects in WebAssembly memory that compute from pictures.

import { images } from '#platform/images';

import { abortable, throwIfAborted } from '../base/abort.js';
import { memoryError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { type Picture, pixelsOf } from '../images/image_input.js';
import type { Pixels } from '../images/pixels.js';
import type { PreparedImage } from '../images/types.js';
import { type NativePictureModel, unwrap } from './native.js';
import { NativeOwner } from './native_object.js';

/** The options of a call that the owner watches. */
interface Watch {
  signal?: AbortSignal | undefined;
}

export abstract class PictureOwner<Native extends NativePictureModel> extends NativeOwner<Native> {
  async prepare({ signal }: Watch, picture: Picture): Promise<PreparedImage> {
    return this.run(async () => {
      const { width, height, channels } = await this.take(picture, signal);
      const prepared = this.call(() => unwrap(this.native.prepare(width, height, channels)));
      return { data: prepared.data, shape: [3, prepared.height, prepared.width] };
    });
  }

  /** Computes from a picture, once `begin` has begun the pass over its pixels. */
  protected ofPicture(
    picture: Picture,
    signal: AbortSignal | undefined,
    begin: (pixels: Pixels) => void,
  ): Promise<Float32Array> {
    return this.run(async () => {
      const pixels = await this.take(picture, signal);
      this.call(() => begin(pixels));
      return this.compute(signal);
    });
  }

  /** Computes from an input that is prepared already. */
  protected ofInput(
    input: Float32Array,
    shape: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const [channels, height, width] = shape as [number, number, number];
    return this.run(async () => {
      this.call(() => {
        fill(this.native.inputWindow(input.length), input);
        unwrap(this.native.beginInput(channels, height, width));
      });
      return this.compute(signal);
    });
  }

  /** Completes the pass that was begun. Yields to the event loop between steps. */
  protected async compute(signal: AbortSignal | undefined): Promise<Float32Array> {
    do {
      await yieldIfDue();
      throwIfAborted(signal);
      this.throwIfClosed();
    } while (!this.call(() => unwrap(this.native.step())));
    return this.call(() => this.native.take());
  }

  /** Decodes a picture into the window. */
  private async take(picture: Picture, signal: AbortSignal | undefined): Promise<Pixels> {
    const pixels = await abortable(pixelsOf(picture, images), signal);
    this.throwIfClosed();
    this.call(() => fill(this.native.pixelWindow(pixels.data.length), pixels.data));
    return pixels;
  }
}

function fill<Values extends Uint8Array | Float32Array>(window: Values | null, values: Values): void {
  if (!window) throw memoryError(values.byteLength);
  window.set(values);
}
