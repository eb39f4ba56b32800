// An image classifier in the thread that its engine runs in.

import { abortable, throwIfAborted } from './abort.js';
import type { CallWatch, Host, LoadHost, LoadWatch } from './backend.js';
import type { ByteSource } from './byte_source.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHostOptions, Preparation } from './classifier_backend.js';
import type { Engine } from './engine.js';
import { memoryError } from './errors.js';
import { breathe } from './event_loop.js';
import { totalOf, using } from './feed.js';
import { feedFile, prepare, withEngine } from './host_loading.js';
import { pixelsOf, type Picture } from './image_input.js';
import { parseModelInfo } from './model_info.js';
import { unwrap, type NativeClassifier, type NativeNetworkModule } from './native.js';
import { NativeOwner } from './native_owner.js';
import { obtainNetworkEngine } from './network_engine.js';

export const loadClassifier: LoadHost<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = (
  [file],
  options,
  watch,
) =>
  withEngine(obtainNetworkEngine(options), file!, watch, (engine, source) =>
    readClassifier(engine, source, options, watch),
  );

function readClassifier(
  engine: Engine<NativeNetworkModule>,
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
      const { data, width, height, channels } = await abortable(pixelsOf(picture), signal);
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
