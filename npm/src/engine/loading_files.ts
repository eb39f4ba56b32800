// The steps of a load, as in loading.ts, for a model in one or more files.

import type { Engine } from './engine.js';
import { using } from './feed.js';
import { feedFiles, type ModelFile } from './feed_files.js';
import { prepare, withEngine, type LoadWatch } from './loading.js';
import type { NativeFileLoader, NativeInstance } from './native.js';
import type { OnModuleBytes } from './wasm_module.js';

/** How such a model is loaded. */
interface FilesLoading<Native extends NativeInstance, Model, H> {
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>;
  integrity: string | undefined;
  loader: (native: Native) => NativeFileLoader<Model>;
  /** `bytes`: size of all files. */
  hostOf: (engine: Engine<Native>, model: Model, bytes: number) => H;
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
      const bytes = await feedFiles(engine, taker, files, first, integrity, watch);
      return prepare(engine, taker, watch, (model) => hostOf(engine, model, bytes));
    });
  });
}
