// A reader of .npy files (float32, row-major) after NumPy's description of the format, for expectations.
import { readFileSync } from 'node:fs';

export function parseNpy(bytes) {
  if (bytes.subarray(0, 6).toString('latin1') !== '\x93NUMPY' || bytes[6] !== 1) throw new Error('not .npy 1.0');
  const headerEnd = 10 + bytes.readUInt16LE(8);
  const header = bytes.subarray(10, headerEnd).toString('latin1');
  const [, descr] = /'descr': '([^']+)'/.exec(header);
  const [, fortran] = /'fortran_order': (\w+)/.exec(header);
  const [, dims] = /'shape': \(([^)]*)\)/.exec(header);
  if (descr !== '<f4' || fortran !== 'False') throw new Error(`unexpected header: ${header}`);
  const shape = dims
    .split(',')
    .filter((dim) => dim.trim() !== '')
    .map(Number);
  const values = new Float32Array(bytes.subarray(headerEnd).length / 4);
  for (let i = 0; i < values.length; i++) values[i] = bytes.readFloatLE(headerEnd + 4 * i);
  return { shape, values, headerEnd, header };
}

export function readNpy(path) {
  return parseNpy(readFileSync(path));
}

/** Row i of a matrix. */
export function row({ shape, values }, i) {
  return values.subarray(i * shape[1], (i + 1) * shape[1]);
}
