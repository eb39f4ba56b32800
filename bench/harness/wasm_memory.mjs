/**
 * Remembers the memory of every WebAssembly instance that is made from now on. Gives a function that tells the bytes of
 * the largest one; wasm memory never shrinks, so that is also its peak.
 */
export function watchWasmMemory() {
  const memories = new Set();
  const remember = (instance, imports = {}) => {
    const candidates = [instance.exports, ...Object.values(imports)].flatMap((names) => Object.values(names));
    for (const item of candidates) if (item instanceof WebAssembly.Memory) memories.add(item);
  };

  const { instantiate, Instance } = WebAssembly;
  WebAssembly.instantiate = async (source, imports) => {
    const result = await instantiate(source, imports);
    remember(result.instance ?? result, imports);
    return result;
  };
  WebAssembly.Instance = class extends Instance {
    constructor(module, imports) {
      super(module, imports);
      remember(this, imports);
    }
  };
  return () => Math.max(...Array.from(memories, (memory) => memory.buffer.byteLength));
}
