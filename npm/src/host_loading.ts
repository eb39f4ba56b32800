// What all loads do: the engine starts while the first file opens, files are fed to a native loader, which gives the model.

import { abortable, throwIfAborted } from './abort.js';
import type { LoadWatch, ModelFile } from './backend.js';
import type { ByteSource } from './byte_source.js';
import type { Engine } from './engine.js';
import { feedAll, type ByteTaker } from './feed.js';
import { unwrap, type NativeInstance, type Outcome } from './native.js';

/** Runs a load with the engine and the opened file, which is closed in any case. */
export async function withEngine<Native extends NativeInstance, R>(
  obtaining: Promise<Engine<Native>>,
  file: ModelFile,
  watch: LoadWatch,
  load: (engine: Engine<Native>, source: ByteSource) => Promise<R>,
): Promise<R> {
  obtaining.catch(() => {});
  const source = await open(file, watch.signal);
  try {
    watch.onProgress?.({ stage: 'compile', loaded: 0, total: 1 });
    const engine = await abortable(obtaining, watch.signal);
    watch.onProgress?.({ stage: 'compile', loaded: 1, total: 1 });
    return await load(engine, source);
  } finally {
    await source.close();
  }
}

/** A source that opens after the abort is closed all the same. */
export async function open(file: ModelFile, signal: AbortSignal | undefined): Promise<ByteSource> {
  const opening = file.open(signal);
  return abortable(opening, signal).catch((error: unknown) => {
    opening.then((late) => late.close(), () => {});
    throw error;
  });
}

/** Feeds a whole file; gives the number of its bytes. `total` is that of all files, and `before` that of those before. */
export function feedFile(
  engine: Engine,
  loader: ByteTaker,
  source: ByteSource,
  integrity: string | undefined,
  { signal, onProgress }: LoadWatch,
  total: number | undefined,
  before = 0,
): Promise<number> {
  const onBytes = (loaded: number) =>
    onProgress?.({ stage: 'download', loaded: before + loaded, ...(total === undefined ? {} : { total }) });
  return feedAll(engine, loader, source, { signal, integrity, onBytes });
}

/** The last stage of a load: the host of what was loaded, which is closed by what the callback throws. */
export function prepare<Native, H extends { close(): void }>(
  engine: Engine,
  loader: { finish(): Outcome<Native> },
  { signal, onProgress }: LoadWatch,
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
