// Copies texts into WebAssembly memory.

import { memoryError } from '../base/errors.js';
import type { Engine } from './start/engine.js';

const utf8 = new TextEncoder();

/** Receives a text through a buffer in WebAssembly memory. */
export interface TextTaker {
  textWindow(bytes: number): Uint8Array | null;
}

/** Copies a text as UTF-8 into WebAssembly memory and calls `job` with its length. Lone surrogates become U+FFFD. */
export function withText<T>(engine: Engine, taker: TextTaker, text: string, job: (bytes: number) => T): T {
  // Not encoded directly into the buffer: browsers do not allow that for shared memory.
  const encoded = utf8.encode(text);
  return engine.run(() => {
    const window = taker.textWindow(encoded.length);
    if (!window) throw memoryError(encoded.length);
    window.set(encoded);
    return job(encoded.length);
  });
}
