// Reads the files of an adapter in the thread of the engine. Loaded with the first one.

import { throwIfAborted } from '../../base/abort.js';
import { open, using } from '../../engine/load/feed.js';
import { feedFiles } from '../../engine/load/feed_files.js';
import { type NativeFileLoader, unwrap } from '../../engine/native.js';
import type { Engine } from '../../engine/start/engine.js';
import type { CallContext } from '../../worker/calls.js';

/** The adapter can be used only after it was read completely and checked. */
export async function readAdapter(
  engine: Engine,
  create: () => NativeFileLoader<undefined>,
  { files, signal }: CallContext,
): Promise<void> {
  const first = await open(files[0]!, signal);
  await using(engine, create, async (loader) => {
    await feedFiles(engine, loader, files, first, undefined, { signal, onProgress: undefined });
    throwIfAborted(signal);
    engine.run(() => unwrap(loader.finish()));
  });
}
