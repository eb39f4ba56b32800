// The image embedder in the thread of its engine: a worker, or the caller's thread.

import createQuintetImageEmbedder from 'quintet-image_embedder-glue';

import { images } from '#platform/images';

import { abortable } from '../base/abort.js';
import { wellFormed } from '../base/arguments.js';
import { lazyModule } from '../base/lazy_module.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { PictureOwner } from '../engine/picture_owner.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import { type Picture, pixelsOf } from '../images/image_input.js';
import type { Pixels } from '../images/pixels.js';
import type { OpenableFile } from '../sources/types.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type {
  ImageEmbedderCalls,
  ImageEmbedderDescription,
  ImageEmbedderHostOptions,
  ImageEmbedderUsage,
} from './calls.js';
import type { NativeImageEmbedder, NativeImageEmbedderModule } from './native.js';

/** Loaded with the first model of which only some tensors are read, or that is in other files than usual. */
const weights = lazyModule(() => import('./weights.js'), 'weightsOf');

export const loadImageEmbedderHost: LoadHost<
  ImageEmbedderCalls,
  ImageEmbedderDescription,
  ImageEmbedderHostOptions
> = async (files, options, watch) =>
  loadFiles(await filesToRead(files, options), watch, {
    obtain: (onBytes) => obtainImageEmbedderEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) => new native.ImageEmbedderLoader(options.format, options.towers, options.quantize === 'int8'),
    hostOf: (engine, model, bytes) => new ImageEmbedderHost(engine, model, bytes),
  });

/** A digest is that of a whole file, which is then read as it is. */
async function filesToRead(
  files: readonly OpenableFile[],
  { towers, integrity }: ImageEmbedderHostOptions,
): Promise<readonly OpenableFile[]> {
  const isUsual = towers === 'both' && !files.some(({ name }) => /\.index\.json$|^open_clip_config\.json$/.test(name));
  return isUsual || integrity !== undefined ? files : (await weights()).weightsOf(files, towers);
}

class ImageEmbedderHost
  extends PictureOwner<NativeImageEmbedder>
  implements Host<ImageEmbedderDescription>, ImageEmbedderCalls
{
  readonly description: ImageEmbedderDescription;

  constructor(engine: Engine, native: NativeImageEmbedder, fileBytes: number) {
    super(engine, native);
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      ...(JSON.parse(native.usage()) as ImageEmbedderUsage),
    }));
  }

  decode({ signal }: CallContext, picture: Picture): Promise<Pixels> {
    return abortable(pixelsOf(picture, images), signal);
  }

  embedPicture({ signal }: CallContext, picture: Picture): Promise<Float32Array> {
    return this.ofPicture(picture, signal, ({ width, height, channels }) =>
      unwrap(this.native.beginPicture(width, height, channels)),
    );
  }

  embedInput({ signal }: CallContext, input: Float32Array, shape: readonly number[]): Promise<Float32Array> {
    return this.ofInput(input, shape, signal);
  }

  embedText({ signal }: CallContext, text: string): Promise<Float32Array> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.beginText(wellFormed(text))));
      return this.compute(signal);
    });
  }

  embedIds({ signal }: CallContext, ids: Int32Array): Promise<Float32Array> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.beginIds(new Uint32Array(ids))));
      return this.compute(signal);
    });
  }

  async tokenize(_: CallContext, text: string): Promise<Int32Array> {
    return this.run(async () => this.call(() => Int32Array.from(unwrap(this.native.tokenize(wellFormed(text))))));
  }
}

const engines = new VariantEngines<NativeImageEmbedderModule>({
  glue: createQuintetImageEmbedder,
  expected: 'ImageEmbedderLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-image_embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-image_embedder-relaxed.wasm', import.meta.url),
});

const obtainImageEmbedderEngine = (choice: EngineChoice) => engines.obtain(choice);
