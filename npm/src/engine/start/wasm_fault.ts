// Explains why a WebAssembly module cannot be used. Loaded only when that happens.

import { messageOf } from '../../base/errors.js';

/** `url`: the URL of the module, if it was being downloaded. */
export async function findFault(error: unknown, url: string | undefined): Promise<string> {
  const message = messageOf(error);
  if (error instanceof WebAssembly.LinkError || error instanceof WebAssembly.RuntimeError) {
    return `it belongs to another version of the package, perhaps an old copy from a cache (${message})`;
  }
  if (!url || !/^https?:/.test(url)) return message;
  if (!(error instanceof WebAssembly.CompileError)) return `its download failed (${message}): ${url}`;
  const given = await answerOf(url);
  return given ? `the server sent ${given} instead of WebAssembly: ${url}` : `${message}: ${url}`;
}

/** Compile errors only state that it is not a module, so the file is requested again to see what it is. */
async function answerOf(url: string): Promise<string | undefined> {
  const reader = (await fetch(url)).body!.getReader();
  try {
    const { value } = await reader.read();
    if (!value) return 'an empty file';
    const begin = String.fromCharCode(...value.subarray(0, 64)).trimStart();
    if (begin.startsWith('<')) return 'a web page';
    if (begin.startsWith('\x1f\x8b')) return 'gzip data (compressed twice, or without a Content-Encoding header)';
    return begin.startsWith('\0asm') ? undefined : 'something else';
  } finally {
    void reader.cancel();
  }
}
