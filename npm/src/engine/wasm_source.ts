// Where a WebAssembly module comes from, as it can cross to a worker.

import { inputError } from '../base/errors.js';
import type { WasmSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { locationOf } from '../platform/sources.js';

export async function portableWasm(wasm: WasmSource | undefined): Promise<WasmSource | undefined> {
  if (typeof wasm === 'string' || isA(wasm, 'URL')) return locationOf(wasm as string | URL)!.href;
  return isA(wasm, 'Response') ? unread(wasm as Response).arrayBuffer() : wasm;
}

/** A response whose body is still to be read. */
export function unread(response: Response): Response {
  if (response.bodyUsed) throw inputError('used', 'the body of the WebAssembly response was already read');
  return response;
}
