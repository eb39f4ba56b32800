// The image classifier in the thread of its engine: a worker, or the caller's thread.

import createQuintetClassifier from 'quintet-classifier-glue';

import { lazyModule } from '../base/lazy_module.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { PictureOwner } from '../engine/picture_owner.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import type { Picture } from '../images/image_input.js';
import type { OpenableFile } from '../sources/types.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHostOptions, PreparationOptions } from './calls.js';
import type { NativeClassifier, NativeClassifierModule } from './native.js';

/** Loaded with the first model in several files. */
const assembled = lazyModule(() => import('../safetensors/assembled.js'), 'withOneFile');

export const loadClassifierHost: LoadHost<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = async (
  files,
  options,
  watch,
) =>
  loadFiles(await filesToRead(files), watch, {
    obtain: (onBytes) => obtainClassifierEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) => new native.ClassifierLoader(options.format, options.kind, options.quantize === 'int8'),
    hostOf: (engine, model, bytes) => new ClassifierHost(engine, model, bytes, options.preparation),
  });

const filesToRead = async (files: readonly OpenableFile[]): Promise<readonly OpenableFile[]> =>
  files.some(({ name }) => name.endsWith('.index.json')) ? (await assembled()).withOneFile(files) : files;

class ClassifierHost extends PictureOwner<NativeClassifier> implements Host<ClassifierDescription>, ClassifierCalls {
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

  logitsOfInput({ signal }: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array> {
    return this.ofInput(input, shape, signal);
  }

  private outputOf({ signal }: CallContext, picture: Picture, features: boolean): Promise<Float32Array> {
    return this.ofPicture(picture, signal, ({ width, height, channels }) =>
      unwrap(this.native.beginPicture(width, height, channels, features)),
    );
  }
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
