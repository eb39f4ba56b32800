// An image classifier in the thread that its engine runs in.

import { images } from '#platform/images';

import { abortable, throwIfAborted } from '../base/abort.js';
import type { CallWatch, Host, LoadHost } from '../remote/calls.js';
import type { ByteSource } from '../bytes/byte_source.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHostOptions, Preparation } from './calls.js';
import type { Engine } from '../engine/engine.js';
import { memoryError } from '../base/errors.js';
import { breathe } from '../base/event_loop.js';
import { totalOf, using } from '../engine/feed.js';
import { feedFile, prepare, withEngine, type LoadWatch } from '../engine/loading.js';
import { pixelsOf, type Picture } from '../images/image_input.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import type { NativeClassifier, NativeClassifierModule } from './native.js';
import { NativeOwner } from '../engine/native_owner.js';
import { obtainClassifierEngine } from './engine.js';

export const loadClassifierHost: LoadHost<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = (
  [file],
  options,
  watch,
) =>
  withEngine((onBytes) => obtainClassifierEngine({ ...options, onBytes }), file!, watch, (engine, source) =>
    readClassifier(engine, source, options, watch),
  );

function readClassifier(
  engine: Engine<NativeClassifierModule>,
  source: ByteSource,
  { format, kind, integrity }: ClassifierHostOptions,
  watch: LoadWatch,
): Promise<ClassifierHost> {
  const create = () => engine.run((native) => new native.ClassifierLoader(format, kind, totalOf(source)));
  return using(engine, create, async (loader) => {
    const bytes = await feedFile(engine, loader, source, integrity, watch, source.size);
    return prepare(engine, loader, watch, (native) => new ClassifierHost(engine, native, bytes));
  });
}

export class ClassifierHost
  extends NativeOwner<NativeClassifier>
  implements Host<ClassifierDescription>, ClassifierCalls
{
  readonly description: ClassifierDescription;

  constructor(engine: Engine, native: NativeClassifier, fileBytes: number) {
    super(engine, native);
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      classes: native.classes(),
      usualInputSize: native.usualInputSize(),
    }));
  }

  async logitsOfPicture({ signal }: CallWatch, picture: Picture, preparation: Preparation): Promise<Float32Array> {
    const { size, shorterSide, mean, std } = preparation;
    return this.run(async () => {
      const { data, width, height, channels } = await abortable(pixelsOf(picture, images), signal);
      this.throwIfClosed();
      this.call(() => {
        fill(this.native.pixelWindow(data.length), data);
        unwrap(this.native.beginPicture(width, height, channels, size, shorterSide, mean, std));
      });
      return this.compute(signal);
    });
  }

  async logitsOfInput({ signal }: CallWatch, input: Float32Array, shape: readonly number[]): Promise<Float32Array> {
    const [channels, height, width] = shape as [number, number, number];
    return this.run(async () => {
      this.call(() => {
        fill(this.native.inputWindow(input.length), input);
        unwrap(this.native.beginInput(channels, height, width));
      });
      return this.compute(signal);
    });
  }

  /** What was begun; looks up between the steps. */
  private async compute(signal: AbortSignal | undefined): Promise<Float32Array> {
    do {
      await breathe();
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
