// NumPy's .npy, version 1.0: little-endian float32 in row-major order.

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const VERSION = [1, 0];
const PREFIX_BYTES = MAGIC.length + VERSION.length + 2;
/** The data starts at a multiple of this, so that it can be memory-mapped. */
const ALIGNMENT = 64;

export function npyHeader(shape: readonly number[]): Uint8Array {
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${dims}), }`;
  const unpadded = PREFIX_BYTES + dictionary.length + 1;
  const total = Math.ceil(unpadded / ALIGNMENT) * ALIGNMENT;
  const text = `${dictionary.padEnd(total - PREFIX_BYTES - 1)}\n`;
  const header = new Uint8Array(total);
  header.set([...MAGIC, ...VERSION]);
  new DataView(header.buffer).setUint16(PREFIX_BYTES - 2, text.length, true);
  header.set(new TextEncoder().encode(text), PREFIX_BYTES);
  return header;
}

/** Platforms of Node are little-endian, like the file. */
export function npyData(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
