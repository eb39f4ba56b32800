// The steps of every load: start the engine while the first file opens, feed the files to a native loader, and create
// the model.

import { abortable, throwIfAborted } from '../../base/abort.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';
import type { OpenableFile } from '../../sources/types.js';
import { type NativeFileLoader, type NativeInstance, type NativeReader, type Outcome, unwrap } from '../native.js';
import type { Engine } from '../start/engine.js';
import type { OnModuleBytes } from '../start/wasm_module.js';
import { type ByteSink, feedAll, type LoadContext, type Openable, open, totalOf, using } from './feed.js';
import type { FedFiles } from './feed_files.js';

const several = lazyModule(() => import('./feed_files.js'), 'feedFiles', 'AbortController');

/** Runs a load with the engine and the opened file, which is closed in any case. */
export async function withEngine<Native extends NativeInstance, R>(
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>,
  file: Openable,
  watch: LoadContext,
  load: (engine: Engine<Native>, source: ByteSource) => Promise<R>,
): Promise<R> {
  const obtaining = obtainWatched(obtain, watch);
  obtaining.catch(() => {});
  const source = await open(file, watch.signal);
  try {
    return await load(await abortable(obtaining, watch.signal), source);
  } finally {
    await source.close();
  }
}

/** The loading of a model in one file. */
interface FileLoading<Native extends NativeInstance, Model, H> {
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>;
  integrity: string | undefined;
  /** `total`: size of the file in bytes, or -1 if unknown. */
  loader: (native: Native, total: number) => NativeReader<Model>;
  /** `bytes`: size of the whole file. */
  hostOf: (engine: Engine<Native>, model: Model, bytes: number) => H;
}

/** Loads a model in one file. Returns its host. */
export function loadFile<Native extends NativeInstance, Model, H extends { close(): void }>(
  file: Openable,
  watch: LoadContext,
  { obtain, integrity, loader, hostOf }: FileLoading<Native, Model, H>,
): Promise<H> {
  return withEngine(obtain, file, watch, (engine, source) => {
    const create = () => engine.run((native) => loader(native, totalOf(source)));
    return using(engine, create, async (intake) => {
      const bytes = await feedFile(engine, intake, source, integrity, watch);
      return prepare(engine, intake, watch, (model) => hostOf(engine, model, bytes));
    });
  });
}

/** The loading of a model in one or more files. */
interface FilesLoading<Native extends NativeInstance, Model, H> {
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>;
  /** The expected digest of the file; only for a model in one file. */
  integrity: string | undefined;
  loader: (native: Native) => NativeFileLoader<Model>;
  /** `bytes`: size of all files. `templates`: those in their own files, if there are several files. */
  hostOf: (engine: Engine<Native>, model: Model, bytes: number, templates?: Record<string, string>) => H;
}

/** Loads such a model. Returns its host. */
export function loadFiles<Native extends NativeInstance, Model, H extends { close(): void }>(
  files: readonly OpenableFile[],
  watch: LoadContext,
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
  watch: LoadContext,
): Promise<number> {
  engine.run(() => unwrap(loader.beginFile(name, totalOf(source))));
  const bytes = await feedFile(engine, loader, source, integrity, watch);
  engine.run(() => unwrap(loader.endFile()));
  return bytes;
}

/** Obtains the engine and reports progress: bytes of its module, or 1 if that is already loaded. */
export async function obtainWatched<Native extends NativeInstance>(
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>,
  { onProgress }: Pick<LoadContext, 'onProgress'>,
): Promise<Engine<Native>> {
  if (!onProgress) return obtain(undefined);
  let reached = 0;
  let last: number | undefined;
  const tell = (loaded: number, total: number | undefined) =>
    onProgress({ stage: 'compile', loaded, ...(total === undefined ? {} : { total }) });
  let isOver = false;
  return new Promise<Engine<Native>>((resolve, reject) => {
    const onBytes: OnModuleBytes = (loaded, total) => {
      // Progress of a second module, after a first one that did not run, is not reported.
      if (isOver || (reached > 0 && (loaded <= reached || total !== last))) return;
      try {
        if (reached === 0) tell(0, (last = total));
        tell((reached = loaded), total);
      } catch (error) {
        reject(error);
      }
    };
    obtain(onBytes).then((engine) => {
      if (reached === 0) onBytes(1, 1);
      else if (last !== undefined) onBytes(last, last);
      isOver = true;
      resolve(engine);
    }, reject);
  });
}

/** Feeds a whole file and returns its size. */
export function feedFile(
  engine: Engine,
  loader: ByteSink,
  source: ByteSource,
  integrity: string | undefined,
  { signal, onProgress }: LoadContext,
): Promise<number> {
  const { size: total } = source;
  const onBytes = (loaded: number) =>
    onProgress?.({ stage: 'download', loaded, ...(total === undefined ? {} : { total }) });
  return feedAll(engine, loader, source, { signal, integrity, onBytes });
}

/** The last stage of a load: creates the host. It is closed again if the callback throws. */
export function prepare<Native, H extends { close(): void }>(
  engine: Engine,
  loader: { finish(): Outcome<Native> },
  { signal, onProgress }: LoadContext,
  hostOf: (native: Native) => H,
): H {
  onProgress?.({ stage: 'prepare', loaded: 0, total: 1 });
  throwIfAborted(signal);
  const host = hostOf(engine.run(() => unwrap(loader.finish())));
  try {
    onProgress?.({ stage: 'prepare', loaded: 1, total: 1 });
    return host;
  } catch (error) {
    host.close();
    throw error;
  }
}
