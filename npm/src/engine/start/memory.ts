// The memory of engines: how it is made, and how much of it the instances of this thread use.

import type { MemoryUse } from '../../base/types.js';

/** A growable memory of the size that engines are linked with. */
export const moduleMemory = (shared: boolean) => new WebAssembly.Memory({ initial: 32, maximum: 65536, shared });

/** Whether a module imports its memory, and so supports threads. */
export const importsMemory = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

// In the import section, which follows the types: the name with its length, the kind, and the flags of the limits, "has
// a maximum" and "shared" (WebAssembly threads proposal, "Binary Format").
const sharedImport = '\x06memory\x02\x03';
const searchedBytes = 1 << 14;

/**
 * Changes the memory that a module imports, in place, from shared to not shared. Atomic instructions are valid on
 * either.
 */
export function unshareMemory(bytes: Uint8Array): void {
  const at = new TextDecoder('latin1').decode(bytes.subarray(0, searchedBytes)).indexOf(sharedImport);
  if (at >= 0) bytes[at + sharedImport.length - 1] = 1;
}

interface Gauged {
  heapBytes(): number;
  liveObjects(): number;
}

const instances = new Set<WeakRef<Gauged>>();

/** Counts an instance until the returned function is called. */
export function registerMemory(instance: Gauged): () => void {
  const reference = new WeakRef(instance);
  instances.add(reference);
  return () => void instances.delete(reference);
}

export function memoryUse(): MemoryUse {
  const use = { heapBytes: 0, liveObjects: 0 };
  for (const reference of instances) {
    const instance = reference.deref();
    if (!instance) {
      instances.delete(reference);
      continue;
    }
    use.heapBytes += instance.heapBytes();
    use.liveObjects += instance.liveObjects();
  }
  return use;
}
