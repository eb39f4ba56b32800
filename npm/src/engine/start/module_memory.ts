// The memory of an engine. Its module is linked once, for memory that threads share (cmake/wasm_module.cmake). For one thread,
// which also runs where memory cannot be shared, the same module imports memory that is not.

/** The size with which engines are linked, and growable. */
export const moduleMemory = (shared: boolean) => new WebAssembly.Memory({ initial: 32, maximum: 65536, shared });

/** Whether a module imports its memory, and so supports threads. */
export const importsMemory = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

// In the import section, which follows the types: the name with its length, the kind, and the flags of the limits, "has a maximum"
// and "shared" (WebAssembly threads proposal, "Binary Format").
const sharedImport = '\x06memory\x02\x03';
const searchedBytes = 1 << 14;

/** Changes the memory that a module imports, in place, from shared to not shared. Atomic instructions are valid on either. */
export function unshareMemory(bytes: Uint8Array): void {
  const at = new TextDecoder('latin1').decode(bytes.subarray(0, searchedBytes)).indexOf(sharedImport);
  if (at >= 0) bytes[at + sharedImport.length - 1] = 1;
}
