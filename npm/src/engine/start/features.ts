// Detects WebAssembly features with tiny modules that are only valid if the feature is supported.

// A function that returns i8x16.popcnt of a splat.
const simd = '\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7b\x03\x02\x01\0\x0a\x0a\x01\x08\0\x41\0\xfd\x0f\xfd\x62\x0b';
// A function that returns i8x16.relaxed_swizzle of two splats.
const relaxedSimd =
  '\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7b\x03\x02\x01\0\x0a\x0f\x01\x0d\0' +
  '\x41\x01\xfd\x0f\x41\x02\xfd\x0f\xfd\x80\x02\x0b';
// A memory with 64-bit addresses.
const memory64 = '\0asm\x01\0\0\0\x05\x03\x01\x04\x01';
// A memory that threads can share.
const sharedMemory = '\0asm\x01\0\0\0\x05\x04\x01\x03\x01\x01';

const validates = (module: string) =>
  typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.from(module, (c) => c.charCodeAt(0)));

export const hasSimd = (): boolean => validates(simd);
export const hasRelaxedSimd = (): boolean => validates(relaxedSimd);
export const hasMemory64 = (): boolean => validates(memory64);
/** Threads need shared memory, which browsers only give to cross-origin isolated pages. */
export const hasThreads = (): boolean =>
  typeof SharedArrayBuffer === 'function' && (globalThis.crossOriginIsolated ?? true) && validates(sharedMemory);
