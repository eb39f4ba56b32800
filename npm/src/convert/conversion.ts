// A conversion in the thread of its engine. Data is converted as it is read: neither input nor output is ever held as a
// whole.

import { images } from '#platform/images';

import { abortable, throwIfAborted } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import { unwrap } from '../engine/native.js';
import type { Engine } from '../engine/start/engine.js';
import { type Picture, pixelsOf } from '../images/image_input.js';
import type { NativeConverter, NativeFilesModule } from '../inspect/native.js';
import type { OpenableFile } from '../sources/types.js';
import type { CallContext } from '../worker/calls.js';
import type { AdapterFiles } from './calls.js';
import { ModelInputs } from './model_inputs.js';

const adapterMerging = lazyModule(() => import('./adapters/merging.js'), 'AdapterMerging');

export class Conversion {
  private readonly converter: NativeConverter;
  private readonly inputs: ModelInputs;
  private lastProgress = '';

  /** `settings`: the options for native code as JSON. */
  constructor(
    private readonly engine: Engine<NativeFilesModule>,
    settings: string,
    private readonly watch: CallContext,
  ) {
    this.converter = engine.run((native) => new native.Converter(settings));
    this.inputs = new ModelInputs(engine, this.converter, watch.signal);
  }

  /** Sends the bytes of the converted model, until the reader stops. */
  async run(adapters: readonly AdapterFiles[]): Promise<void> {
    const { engine, watch } = this;
    const items = watch.items!;
    try {
      const ofModel = watch.files.length - adapters.reduce((sum, { count }) => sum + count, 0);
      await this.inputs.describe(watch.files.slice(0, ofModel));
      if (adapters.length > 0) await this.merge(adapters, watch.files.slice(ofModel));
      for await (const bytes of this.bytes()) {
        items.give(bytes);
        if (!items.hasRoom) await abortable(items.room(), watch.signal);
        if (items.isCancelled) return;
      }
    } finally {
      if (engine.usable) this.converter.delete();
      await this.inputs.close();
    }
  }

  private async merge(adapters: readonly AdapterFiles[], files: readonly OpenableFile[]): Promise<void> {
    const { engine, converter, inputs, watch } = this;
    const { AdapterMerging } = await adapterMerging();
    const adding = new AdapterMerging(engine, converter, (file) => inputs.open(file), watch.signal);
    let at = 0;
    for (const { count, scale } of adapters) await adding.merge(files.slice(at, (at += count)), scale);
  }

  private async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const { engine, converter } = this;
    engine.run(() => unwrap(converter.plan()));
    yield* this.output();
    for (let range; (range = engine.run(() => converter.nextRange())); ) {
      yield* this.inputs.feedRange(range, () => this.output());
    }
    if (engine.run(() => converter.wantsCalibration())) await this.calibrate();
    engine.run(() => unwrap(converter.finish()));
    yield* this.output();
  }

  /** The output that is ready. */
  private *output(): Generator<Uint8Array, void, undefined> {
    for (;;) {
      const bytes = this.engine.run(() => this.converter.take().slice());
      if (bytes.length === 0) break;
      yield bytes;
    }
    this.report();
  }

  /** Passes the calibration pictures on, scaled and cropped to the network's input. */
  private async calibrate(): Promise<void> {
    const { engine, converter, watch } = this;
    const size = engine.run(() => converter.inputSize());
    for (let seen = 0; ; ++seen) {
      const picture = (await abortable(watch.onQuestion!('picture'), watch.signal)) as Picture | undefined;
      throwIfAborted(watch.signal);
      if (!picture) {
        if (seen === 0) throw inputError('missing', "convert: 'sq8' needs images, but option 'calibration' has none");
        return;
      }
      const { data, width, height, channels } = await abortable(pixelsOf(picture, images), watch.signal);
      engine.run((native) => {
        const values = unwrap(native.prepareImage(data, width, height, channels, size));
        unwrap(converter.calibrate(values, size, size));
      });
    }
  }

  private report(): void {
    const { onEvent } = this.watch;
    if (!onEvent) return;
    const progress = this.engine.run(() => this.converter.progress());
    if (progress === this.lastProgress) return;
    this.lastProgress = progress;
    onEvent(JSON.parse(progress));
  }
}
