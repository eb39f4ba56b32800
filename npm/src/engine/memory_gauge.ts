// What the WebAssembly instances of this thread hold; for leak tests and for people who wonder.

interface Gauged {
  heapBytes(): number;
  liveObjects(): number;
}

const instances = new Set<WeakRef<Gauged>>();

/** Counts an instance in, until the function that it gives is called. */
export function registerMemory(instance: Gauged): () => void {
  const reference = new WeakRef(instance);
  instances.add(reference);
  return () => void instances.delete(reference);
}

export interface MemoryUse {
  /** Bytes of WebAssembly memory. */
  heapBytes: number;
  /** Objects in it that were not closed. */
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
