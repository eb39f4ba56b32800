// Compiles and instantiates WebAssembly modules.

import { files } from '#sources/files';

import { ioError, messageOf, missingGlobal, QuintetError } from '../../base/errors.js';
import type { WasmSource } from '../../base/types.js';
import { isA } from '../../base/values.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';
import { fetchResponse, locationOf, unread } from '../../sources/open_source.js';
import { unshareMemory } from './memory.js';

/** Called with the number of bytes of a module that have arrived, and the total if it is known. */
export type OnModuleBytes = (loaded: number, total: number | undefined) => void;

/** Options for compiling a module. */
export interface Compilation {
  /** Whether the imported memory must not be shared (memory.ts). */
  unshared: boolean;
  onBytes: OnModuleBytes | undefined;
}

/** Compiles a module provided by the caller. A compiled module is used unchanged. */
export async function compileModule(source: WasmSource, compilation: Compilation): Promise<WebAssembly.Module> {
  if (isA(source, 'WebAssembly.Module')) return source as WebAssembly.Module;
  if (isA(source, 'Response')) return compileResponse(source as Response, compilation);
  if (typeof source === 'string' || isA(source, 'URL'))
    return compileAt(locationOf(source as string | URL)!, compilation);
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source as ArrayBuffer);
  // A copy: the caller's bytes stay unchanged.
  return compileBytes(bytes.slice(), compilation);
}

export async function compileAt(location: URL, compilation: Compilation): Promise<WebAssembly.Module> {
  if (location.protocol !== 'file:') return compileResponse(await fetchResponse(location), compilation);
  return compileBytes(await readAll(await files.openFile(location)), compilation);
}

function compileBytes(bytes: Uint8Array<ArrayBuffer>, { unshared, onBytes }: Compilation): Promise<WebAssembly.Module> {
  onBytes?.(bytes.length, bytes.length);
  if (unshared) unshareMemory(bytes);
  return compile(() => WebAssembly.compile(bytes));
}

async function compileResponse(response: Response, { unshared, onBytes }: Compilation): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw ioError('http_status', `${response.url || 'the WebAssembly module'}: HTTP status ${response.status}`);
  }
  // Counts the bytes of a clone: browsers cache compiled code only for the original response.
  if (onBytes) void count(unread(response).clone(), onBytes);
  // Streaming compilation requires the right content type, which not every server sends.
  const streamable = !unshared && /^application\/wasm\b/i.test(response.headers.get('content-type') ?? '');
  return compile(async () => {
    if (streamable && typeof WebAssembly.compileStreaming === 'function')
      return WebAssembly.compileStreaming(unread(response));
    const bytes = new Uint8Array(await unread(response).arrayBuffer());
    if (unshared) unshareMemory(bytes);
    return WebAssembly.compile(bytes);
  }, response.url);
}

/** Counts the bytes of a response. A failure also fails the compilation, which reports it. */
async function count(response: Response, onBytes: OnModuleBytes): Promise<void> {
  // With an encoding, the content length is not the number of decoded bytes.
  const { headers } = response;
  const total = headers.get('content-encoding') ? undefined : Number(headers.get('content-length')) || undefined;
  const reader = response.body!.getReader();
  for (let loaded = 0; ; ) {
    const { value } = await reader.read().catch(() => ({ value: undefined }));
    if (!value) return;
    onBytes((loaded += value.length), total);
  }
}

async function compile(job: () => Promise<WebAssembly.Module>, url?: string): Promise<WebAssembly.Module> {
  try {
    return await job();
  } catch (error) {
    throw await wasmError(error, url);
  }
}

async function readAll(source: ByteSource): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const all = new Uint8Array(source.size ?? 0);
    let at = 0;
    for (let chunk; (chunk = await source.read()); at += chunk.length) all.set(chunk, at);
    return all;
  } finally {
    await source.close();
  }
}

/** The JavaScript that Emscripten generates for a module. */
export type Glue<Native> = (options: GlueOptions) => Promise<Native>;

export interface GlueOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

/** A running instance of a module, and the interface that the glue makes of it. */
export interface Running<Native> {
  native: Native;
  instance: WebAssembly.Instance;
}

/**
 * Starts a module. `expected` is a class that only this kind of module has. `memory` is shared by its threads; modules
 * without threads have their own.
 */
export async function instantiate<Native>(
  module: WebAssembly.Module,
  glue: Glue<Native>,
  expected: keyof Native,
  memory?: WebAssembly.Memory,
): Promise<Running<Native>> {
  try {
    const running = await new Promise<Running<Native>>((resolve, reject) => {
      const instantiateWasm: GlueOptions['instantiateWasm'] = (imports, done) => {
        WebAssembly.instantiate(module, memory ? { ...imports, env: { ...imports.env, memory } } : imports)
          .then((instance) => {
            started = instance;
            // The glue only supports exported memories.
            done(memory ? ({ exports: { ...instance.exports, memory } } as WebAssembly.Instance) : instance, module);
          })
          .catch(reject);
        return {};
      };
      let started: WebAssembly.Instance;
      glue({ instantiateWasm }).then((native) => resolve({ native, instance: started }), reject);
    });
    if (typeof running.native[expected] !== 'function') {
      throw new TypeError('its exports are not those of this version');
    }
    return running;
  } catch (error) {
    throw await wasmError(error);
  }
}

/** The error for an engine that cannot start. `url`: the URL of its module, if it was being downloaded. */
export async function wasmError(error: unknown, url?: string): Promise<QuintetError> {
  if (error instanceof QuintetError) return error;
  if (error instanceof RangeError || /out of memory/i.test(messageOf(error))) {
    const details = { reason: 'out_of_memory', cause: error } as const;
    return new QuintetError('MEMORY', `not enough memory for another WebAssembly module: ${messageOf(error)}`, details);
  }
  const missing = missingGlobal(error);
  if (missing) return missing;
  // If the explanation cannot be loaded either, the original message is used.
  const fault = await import('./wasm_fault.js')
    .then(({ findFault }) => findFault(error, url))
    .catch(() => messageOf(error));
  return ioError('wasm', `the WebAssembly module cannot be used: ${fault}`, error);
}
