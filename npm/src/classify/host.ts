// The image classifier in the thread of its engine: a worker, or the caller's thread.

import createQuintetClassifier from 'quintet-classifier-glue';

import { images } from '#platform/images';

import { abortable, throwIfAborted } from '../base/abort.js';
import { memoryError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { NativeOwner } from '../engine/native_object.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import { type Picture, pixelsOf } from '../images/image_input.js';
import type { Pixels } from '../images/pixels.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHostOptions, PreparationOptions } from './calls.js';
import type { NativeClassifier, NativeClassifierModule } from './native.js';
import type { PreparedImage } from './types.js';

export const loadClassifierHost: LoadHost<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = (
  files,
  options,
  watch,
) =>
  loadFiles(files, watch, {
    obtain: (onBytes) => obtainClassifierEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) => new native.ClassifierLoader(options.format, options.kind),
    hostOf: (engine, model, bytes) => new ClassifierHost(engine, model, bytes, options.preparation),
  });

class ClassifierHost extends NativeOwner<NativeClassifier> implements Host<ClassifierDescription>, ClassifierCalls {
  readonly description: ClassifierDescription;

  constructor(engine: Engine, native: NativeClassifier, fileBytes: number, preparation: PreparationOptions) {
    super(engine, native);
    const { size, shorterSide, mean, std } = preparation;
    try {
      this.call(() => unwrap(native.prepareAs(size, shorterSide, mean, std)));
    } catch (error) {
      this.close();
      throw error;
    }
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      ...(JSON.parse(native.usage()) as Pick<ClassifierDescription, 'classes' | 'labels' | 'inputSize'>),
    }));
  }

  logitsOfPicture(watch: CallContext, picture: Picture): Promise<Float32Array> {
    return this.outputOf(watch, picture, false);
  }

  featuresOfPicture(watch: CallContext, picture: Picture): Promise<Float32Array> {
    return this.outputOf(watch, picture, true);
  }

  async prepare({ signal }: CallContext, picture: Picture): Promise<PreparedImage> {
    return this.run(async () => {
      const { width, height, channels } = await this.take(picture, signal);
      const prepared = this.call(() => unwrap(this.native.prepare(width, height, channels)));
      return { data: prepared.data, shape: [3, prepared.height, prepared.width] };
    });
  }

  private outputOf({ signal }: CallContext, picture: Picture, features: boolean): Promise<Float32Array> {
    return this.run(async () => {
      const { width, height, channels } = await this.take(picture, signal);
      this.call(() => unwrap(this.native.beginPicture(width, height, channels, features)));
      return this.compute(signal);
    });
  }

  /** Decodes a picture into the window. */
  private async take(picture: Picture, signal: AbortSignal | undefined): Promise<Pixels> {
    const pixels = await abortable(pixelsOf(picture, images), signal);
    this.throwIfClosed();
    this.call(() => fill(this.native.pixelWindow(pixels.data.length), pixels.data));
    return pixels;
  }

  async logitsOfInput({ signal }: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array> {
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
  private async compute(signal: AbortSignal | undefined): Promise<Float32Array> {
    do {
      await yieldIfDue();
      throwIfAborted(signal);
      this.throwIfClosed();
    } while (!this.call(() => unwrap(this.native.step())));
    return this.call(() => this.native.take());
  }
}

function fill<Values extends Uint8Array | Float32Array>(window: Values | null, values: Values): void {
  if (!window) throw memoryError(values.byteLength);
  window.set(values);
}

const engines = new VariantEngines<NativeClassifierModule>({
  glue: createQuintetClassifier,
  expected: 'ClassifierLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-classifier-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-classifier-relaxed.wasm', import.meta.url),
});

const obtainClassifierEngine = (choice: EngineChoice) => engines.obtain(choice);
