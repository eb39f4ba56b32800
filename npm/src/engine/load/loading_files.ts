// The steps of a load, as in loading.ts, for a model in one or more files.

import { lazyPart } from '../../base/lazy_part.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';
import type { Engine } from '../start/engine.js';
import { totalOf, using } from './feed.js';
import type { FedFiles, ModelFile } from './feed_files.js';
import { feedFile, prepare, withEngine, type LoadWatch } from './loading.js';
import { unwrap, type NativeFileLoader, type NativeInstance } from '../native.js';
import type { TemplateFiles } from './template_files.js';
import type { OnModuleBytes } from '../start/wasm_module.js';

const several = lazyPart(() => import('./feed_files.js'), 'feedFiles', 'AbortController');

/** How such a model is loaded. */
interface FilesLoading<Native extends NativeInstance, Model, H> {
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>;
  /** Of the only file. */
  integrity: string | undefined;
  loader: (native: Native) => NativeFileLoader<Model>;
  /** `bytes`: size of all files. `templates`: if there are several. */
  hostOf: (engine: Engine<Native>, model: Model, bytes: number, templates?: TemplateFiles) => H;
}

/** Loads the model. Returns its host. */
export function loadFiles<Native extends NativeInstance, Model, H extends { close(): void }>(
  files: readonly ModelFile[],
  watch: LoadWatch,
  { obtain, integrity, loader, hostOf }: FilesLoading<Native, Model, H>,
): Promise<H> {
  return withEngine(obtain, files[0]!, watch, (engine, first) => {
    const create = () => engine.run((native) => loader(native));
    return using(engine, create, async (taker) => {
      const { bytes, templates }: Pick<FedFiles, 'bytes'> & Partial<FedFiles> =
        files.length > 1
          ? await (await several()).feedFiles(engine, taker, files, first, integrity, watch)
          : { bytes: await feedOnlyFile(engine, taker, files[0]!.name, first, integrity, watch) };
      return prepare(engine, taker, watch, (model) => hostOf(engine, model, bytes, templates));
    });
  });
}

async function feedOnlyFile(
  engine: Engine,
  loader: NativeFileLoader<unknown>,
  name: string,
  source: ByteSource,
  integrity: string | undefined,
  watch: LoadWatch,
): Promise<number> {
  engine.run(() => unwrap(loader.beginFile(name, totalOf(source))));
  const bytes = await feedFile(engine, loader, source, integrity, watch);
  engine.run(() => unwrap(loader.endFile()));
  return bytes;
}
