// The memory use of the WebAssembly instances of this thread, for `capabilities()` and leak tests.

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

/** Use of WebAssembly memory. */
export interface MemoryUse {
  /** Size of the WebAssembly memory in bytes. */
  heapBytes: number;
  /** Number of native objects that were not closed. */
  liveObjects: number;
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
