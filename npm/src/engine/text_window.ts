// Texts on their way into wasm memory.

import type { Engine } from './engine.js';
import { memoryError } from '../base/errors.js';

const utf8 = new TextEncoder();

/** What takes a text through a window in wasm memory. */
export interface TextTaker {
  textWindow(bytes: number): Uint8Array | null;
}

/** Puts a text's UTF-8 into wasm memory and calls `job` with its length. Lone surrogates become U+FFFD. */
export function withText<T>(engine: Engine, taker: TextTaker, text: string, job: (bytes: number) => T): T {
  // Not encoded into the window, which may lie in shared memory: browsers refuse that.
  const encoded = utf8.encode(text);
  return engine.run(() => {
    const window = taker.textWindow(encoded.length);
    if (!window) throw memoryError(encoded.length);
    window.set(encoded);
    return job(encoded.length);
  });
}
