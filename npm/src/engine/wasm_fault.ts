// What is wrong with a WebAssembly module that cannot be used, in words. Loaded only when one cannot.

import { messageOf } from '../base/errors.js';

/** `url`: where the module comes from, while it does. */
export async function findFault(error: unknown, url: string | undefined): Promise<string> {
  const message = messageOf(error);
  if (error instanceof WebAssembly.LinkError || error instanceof WebAssembly.RuntimeError) {
    return `it is not that of this version of the package, perhaps an old copy from a cache (${message})`;
  }
  if (!url || !/^https?:/.test(url)) return message;
  if (!(error instanceof WebAssembly.CompileError)) return `its download failed (${message}): ${url}`;
  const given = await answerOf(url);
  return given ? `the server answered with ${given}, not with WebAssembly: ${url}` : `${message}: ${url}`;
}

/** Compilers tell only that it is no module: the answer is asked for once more. */
async function answerOf(url: string): Promise<string | undefined> {
  const reader = (await fetch(url)).body!.getReader();
  try {
    const { value } = await reader.read();
    if (!value) return 'an empty file';
    const begin = String.fromCharCode(...value.subarray(0, 64)).trimStart();
    if (begin.startsWith('<')) return 'a web page';
    if (begin.startsWith('\x1f\x8b')) return 'gzip data that is compressed twice or not announced as such';
    return begin.startsWith('\0asm') ? undefined : 'something else';
  } finally {
    void reader.cancel();
  }
}
