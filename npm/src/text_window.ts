// Texts on their way into wasm memory.

import type { Engine } from './engine.js';
import { memoryError } from './errors.js';

// Up to this length a text is encoded straight into its window, which is then large enough for any text.
const shortText = 4096;
const utf8 = new TextEncoder();

/** What takes a text through a window in wasm memory. */
export interface TextTaker {
  textWindow(bytes: number): Uint8Array | null;
}

/** Puts a text's UTF-8 into wasm memory and calls `job` with its length. Lone surrogates become U+FFFD. */
export function withText<T>(engine: Engine, taker: TextTaker, text: string, job: (bytes: number) => T): T {
  const encoded = text.length > shortText ? utf8.encode(text) : undefined;
  return engine.run(() => {
    const room = encoded?.length ?? 3 * text.length;
    const window = taker.textWindow(room);
    if (!window) throw memoryError(room);
    if (!encoded) return job(utf8.encodeInto(text, window).written);
    window.set(encoded);
    return job(encoded.length);
  });
}
