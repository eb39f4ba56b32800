// The memory of an engine. Its module is linked once, for memory that threads share (cmake/wasm_module.cmake); for one thread,
// which also runs where memory cannot be shared, the same module imports memory of its own.

/** The size with which engines are linked, and growable. */
export const moduleMemory = (shared: boolean) => new WebAssembly.Memory({ initial: 32, maximum: 65536, shared });

/** Whether a module imports its memory, and so supports threads. */
export const importsMemory = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

// "Modules" of the WebAssembly core specification, "Binary Format".
const headBytes = 8;
const importSection = 2;
const kinds = { function: 0, table: 1, memory: 2, global: 3 };
/** Of the limits of a memory (WebAssembly threads proposal, "Binary Format"). */
const sharedFlag = 2;

/**
 * Changes the memory that a module imports, in place, from shared to not shared. Atomic instructions are valid on either. Bytes
 * that are no such module stay as they are: compiling reports what is wrong with them.
 */
export function unshareMemory(bytes: Uint8Array): void {
  let at = headBytes;
  const number = () => {
    let value = 0;
    for (let shift = 0, byte = 0x80; byte & 0x80; shift += 7) value += ((byte = bytes[at++] ?? 0) & 0x7f) * 2 ** shift;
    return value;
  };
  const skip = (count: number) => void (at += count);
  while (at < bytes.length) {
    const section = number();
    const size = number();
    if (section !== importSection) {
      skip(size);
      continue;
    }
    for (let left = number(); left > 0 && at < bytes.length; --left) {
      skip(number());
      skip(number());
      const kind = number();
      if (kind === kinds.memory) bytes[at]! &= ~sharedFlag;
      if (kind === kinds.function) number();
      else if (kind === kinds.global) skip(2);
      else {
        if (kind === kinds.table) number();
        const hasMaximum = number() & 1;
        number();
        if (hasMaximum) number();
      }
    }
    return;
  }
}
