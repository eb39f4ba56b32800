// Arrays of float32 from NumPy's .npy files, versions 1 to 3.
import { type ErrorReason, QuintetError } from '../../base/errors.js';

// Without its first byte, 0x93.
const MAGIC = 'NUMPY';
const MAGIC_BYTES = 1 + MAGIC.length;

export interface NpyArray {
  shape: number[];
  values: Float32Array;
}

export function readNpy(bytes: Uint8Array): NpyArray {
  const { header, end } = headerOf(bytes);
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  const dims = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (descr === undefined || fortran === undefined || dims === undefined) {
    throw refused('malformed', 'the header has no descr, fortran_order or shape');
  }
  if (descr !== '<f4') throw refused('unknown_value', `the values are '${descr}', not little-endian float32 ('<f4')`);
  if (fortran === 'True')
    throw refused('unknown_value', 'the values are in column-major order (fortran_order), which is not supported');
  const shape = dims
    .split(',')
    .filter((dim) => dim.trim() !== '')
    .map(Number);
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (bytes.length - end !== 4 * count) {
    throw refused(
      'mismatch',
      `the shape (${shape.join(', ')}) needs ${4 * count} bytes of values, and the file has ${bytes.length - end}`,
    );
  }
  // A copy, where floats may begin; as Buffer's slice() would not make one.
  return { shape, values: new Float32Array(new Uint8Array(bytes.subarray(end)).buffer) };
}

function headerOf(bytes: Uint8Array): { header: string; end: number } {
  const text = new TextDecoder('latin1');
  if (bytes.length < 12 || bytes[0] !== 0x93 || text.decode(bytes.subarray(1, MAGIC_BYTES)) !== MAGIC) {
    throw refused('bad_magic', 'not an .npy file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[MAGIC_BYTES]!;
  if (version < 1 || version > 3) throw refused('bad_version', `version ${version} is not supported; 1 to 3 are`);
  const begin = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (begin + length > bytes.length) throw refused('truncated', 'the file ends inside the header');
  return { header: text.decode(bytes.subarray(begin, begin + length)), end: begin + length };
}

function refused(reason: ErrorReason, what: string): QuintetError {
  return new QuintetError('INPUT', what, { reason, format: 'npy' });
}
