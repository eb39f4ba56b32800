// Conversion, where the engine runs.

import { abortable } from './abort.js';
import { networkInput } from './calibration_images.js';
import { obtainConvertEngine } from './convert_engine.js';
import type { Engine } from './engine.js';
import { inputError } from './errors.js';
import type { NamedSource } from './model_folder.js';
import { ModelInputs } from './model_inputs.js';
import { unwrap, type NativeConverter, type NativeConvertModule } from './native.js';
import type { ConvertOptions, ConvertProgress, ImageInput } from './types.js';

/** The bytes of the converted model. What is read of the files is converted at once: neither is ever kept whole. */
export async function* convertModel(
  files: readonly NamedSource[],
  options: ConvertOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal } = options;
  const engine = await abortable(obtainConvertEngine(), signal);
  const converter = engine.run((native) => new native.Converter(nativeSettings(options)));
  const inputs = new ModelInputs(engine, converter, signal);
  try {
    await inputs.describe(files);
    yield* new Conversion(engine, converter, inputs, options).run();
  } finally {
    if (engine.usable) converter.delete();
    await inputs.close();
  }
}

/** The options that native code sees. */
export function nativeSettings({ signal, onProgress, calibration, ...settings }: ConvertOptions): string {
  return JSON.stringify(settings);
}

class Conversion {
  private lastProgress = '';

  constructor(
    private readonly engine: Engine<NativeConvertModule>,
    private readonly converter: NativeConverter,
    private readonly inputs: ModelInputs,
    private readonly options: ConvertOptions,
  ) {}

  async *run(): AsyncGenerator<Uint8Array, void, undefined> {
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

  /** What is ready. */
  private *output(): Generator<Uint8Array, void, undefined> {
    for (;;) {
      const bytes = this.engine.run(() => this.converter.take().slice());
      if (bytes.length === 0) break;
      yield bytes;
    }
    this.report();
  }

  private async calibrate(): Promise<void> {
    const { calibration, signal } = this.options;
    if (!calibration) throw inputError('missing', "convert: 'sq8' needs images: option 'calibration' is missing");
    const size = this.engine.run(() => this.converter.inputSize());
    for await (const image of calibration as AsyncIterable<ImageInput>) {
      const values = await abortable(networkInput(this.engine, image, size), signal);
      this.engine.run(() => unwrap(this.converter.calibrate(values, size, size)));
    }
  }

  private report(): void {
    const { onProgress } = this.options;
    if (!onProgress) return;
    const progress = this.engine.run(() => this.converter.progress());
    if (progress === this.lastProgress) return;
    this.lastProgress = progress;
    onProgress(JSON.parse(progress) as ConvertProgress);
  }
}
