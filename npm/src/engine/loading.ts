// What all loads do: the engine starts while the first file opens, files are fed to a native loader, which gives the model.

import { abortable, throwIfAborted } from '../base/abort.js';
import type { LoadProgress } from '../base/types.js';
import type { ByteSource } from '../bytes/byte_source.js';
import type { Engine } from './engine.js';
import { feedAll, type ByteTaker } from './feed.js';
import { unwrap, type NativeInstance, type Outcome } from './native.js';
import type { OnModuleBytes } from './wasm_module.js';

/** Who hears of a load, and may end it. */
export interface LoadWatch {
  signal: AbortSignal | undefined;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

/** What opens a file. */
interface Openable {
  open(signal: AbortSignal | undefined): Promise<ByteSource>;
}

/** Runs a load with the engine and the opened file, which is closed in any case. */
export async function withEngine<Native extends NativeInstance, R>(
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>,
  file: Openable,
  watch: LoadWatch,
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

/** The engine, with its progress told: bytes of its module, or 1 where that is there. */
export async function obtainWatched<Native extends NativeInstance>(
  obtain: (onBytes: OnModuleBytes | undefined) => Promise<Engine<Native>>,
  { onProgress }: Pick<LoadWatch, 'onProgress'>,
): Promise<Engine<Native>> {
  if (!onProgress) return obtain(undefined);
  let reached = 0;
  let last: number | undefined;
  const tell = (loaded: number, total: number | undefined) =>
    onProgress({ stage: 'compile', loaded, ...(total === undefined ? {} : { total }) });
  let isOver = false;
  return new Promise<Engine<Native>>((resolve, reject) => {
    const onBytes: OnModuleBytes = (loaded, total) => {
      // Not those of a second module, in place of one that did not run.
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

/** A source that opens after the abort is closed all the same. */
export async function open(file: Openable, signal: AbortSignal | undefined): Promise<ByteSource> {
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
