// The begin of every load: the engine starts while the first file opens.

import { abortable } from './abort.js';
import type { LoadWatch, ModelFile } from './backend.js';
import type { ByteSource } from './byte_source.js';
import type { Engine } from './engine.js';
import type { NativeInstance } from './native.js';

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

/** Reports the last stage of a load around its work; what the callback throws closes the host. */
export function prepare<H extends { close(): void }>({ onProgress }: LoadWatch, create: () => H): H {
  onProgress?.({ stage: 'prepare', loaded: 0, total: 1 });
  const host = create();
  try {
    onProgress?.({ stage: 'prepare', loaded: 1, total: 1 });
    return host;
  } catch (error) {
    host.close();
    throw error;
  }
}
