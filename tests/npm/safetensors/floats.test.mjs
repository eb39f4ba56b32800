// quintet/safetensors: small floats as float32 and back, against IEEE 754's definition and all values of a type.
import fc from 'fast-check';
import { fromFloat32, readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';

const layouts = {
  F16: { exponentBits: 5, mantissaBits: 10, ArrayType: Uint16Array },
  BF16: { exponentBits: 8, mantissaBits: 7, ArrayType: Uint16Array },
  F8_E5M2: { exponentBits: 5, mantissaBits: 2, ArrayType: Uint8Array },
  F8_E4M3: { exponentBits: 4, mantissaBits: 3, ArrayType: Uint8Array, finite: true },
};
const types = Object.entries(layouts);

/** The meaning of the bits. `finite`: the largest exponent holds values, except for its last, which is not a number. */
function decodedFloat(bits, { exponentBits, mantissaBits, finite }) {
  const sign = bits >> (exponentBits + mantissaBits) ? -1 : 1;
  const exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  const fraction = (bits & ((1 << mantissaBits) - 1)) / 2 ** mantissaBits;
  const isLast = exponent === (1 << exponentBits) - 1;
  if (isLast && (!finite || fraction === 1 - 2 ** -mantissaBits)) return fraction ? NaN : sign * Infinity;
  const bias = (1 << (exponentBits - 1)) - 1;
  return sign * (exponent ? (1 + fraction) * 2 ** (exponent - bias) : fraction * 2 ** (1 - bias));
}

const codesOf = ({ exponentBits, mantissaBits, ArrayType }) =>
  ArrayType.from({ length: 2 << (exponentBits + mantissaBits) }, (_, i) => i);

/** Values of the codes from 0 on, which ascend; at the end what follows the largest number, one step further. */
function ladderOf(layout) {
  const values = [];
  for (let code = 0; decodedFloat(code, layout) < Infinity; code++) values.push(decodedFloat(code, layout));
  return [...values, 2 * values.at(-1) - values.at(-2)];
}

/** The code of the nearest value, by search; ties go to the even code. */
function nearest(x, layout, values) {
  let [low, high] = [0, values.length - 1];
  const magnitude = Math.abs(x);
  if (magnitude >= values[high]) low = high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= magnitude) low = middle;
    else high = middle;
  }
  const [below, above] = [magnitude - values[low], values[high] - magnitude];
  const code = below < above || (below === above && low % 2 === 0) ? low : high;
  const sign = x < 0 || Object.is(x, -0) ? 1 << (layout.exponentBits + layout.mantissaBits) : 0;
  return code | sign;
}

describe.each(types)('%s', (dtype, layout) => {
  const codes = codesOf(layout);
  const floats = toFloat32({ dtype, shape: [codes.length], data: codes });

  test('every code is its value as float32', () => {
    expect(floats).toEqual(Float32Array.from(codes, (code) => decodedFloat(code, layout)));
  });

  test('and is restored from it, with its sign and the payload of NaN', () => {
    if (layout.finite) expect(fromFloat32(dtype, floats)).toEqual(codes);
    else expect(Buffer.from(fromFloat32(dtype, floats).buffer).equals(Buffer.from(codes.buffer))).toBe(true);
  });

  test('between two numbers the nearer is taken, in the middle the even one', () => {
    const values = ladderOf(layout);
    const inputs = [];
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    values.slice(1).forEach((value, i) => {
      float[0] = (values[i] + value) / 2;
      // The middle and the float32 values next to it.
      const middle = bits[0];
      for (const around of [middle - 1, middle, middle + 1]) {
        bits[0] = around;
        inputs.push(float[0], -float[0]);
      }
    });
    const rounded = fromFloat32(dtype, Float32Array.from(inputs));
    expect([...rounded]).toEqual(inputs.map((x) => nearest(x, layout, values)));
  });

  test('any float32', () => {
    const ladder = ladderOf(layout);
    const float = fc.float({ noNaN: true });
    fc.assert(
      fc.property(fc.array(float, { maxLength: 20 }), (values) => {
        const rounded = fromFloat32(dtype, Float32Array.from(values));
        expect([...rounded]).toEqual(values.map((x) => nearest(x, layout, ladder)));
      }),
      { numRuns: 300 },
    );
  });

  test('values that are too large', () => {
    const data = fromFloat32(dtype, Float32Array.of(3.4e38, -Infinity));
    expect([...toFloat32({ dtype, shape: [2], data })]).toEqual(layout.finite ? [NaN, NaN] : [Infinity, -Infinity]);
  });
});

test('known values', () => {
  const of = (dtype, ...values) => [...fromFloat32(dtype, Float32Array.from(values))];
  expect(of('F16', 1, -2, 65504, 65519, 65520, 2 ** -24, 2 ** -25, 1.5 * 2 ** -25, 0.1)).toEqual([
    0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00, 1, 0, 1, 0x2e66,
  ]);
  expect(of('BF16', 1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 2 ** -133)).toEqual([0x3f80, 0x3f80, 0x3f82, 1]);
  expect(of('F8_E4M3', 448, 464, 464.1, -1e9, 2 ** -9, 2 ** -10)).toEqual([0x7e, 0x7e, 0x7f, 0xff, 1, 0]);
  expect(of('F8_E5M2', 57344, 61439, 61440, 2 ** -16)).toEqual([0x7b, 0x7b, 0x7c, 1]);
  expect(of('F32', 0.1)).toEqual([Math.fround(0.1)]);
});

test('a view into the middle of a buffer, whose values stay unchanged', () => {
  const buffer = Float32Array.of(9, 1, 2, 9);
  expect([...fromFloat32('F16', buffer.subarray(1, 3))]).toEqual([0x3c00, 0x4000]);
  const same = fromFloat32('F32', buffer);
  same.fill(0);
  expect([...buffer]).toEqual([9, 1, 2, 9]);
});

test('powers of two, integers and truth values as float32', () => {
  const of = (dtype, data) => toFloat32({ dtype, shape: [data.length], data });
  const oneByte = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(of('F8_E8M0', oneByte)).toEqual(Float32Array.from(oneByte, (e) => (e === 255 ? NaN : 2 ** (e - 127))));
  expect(of('I64', BigInt64Array.of(-5n, 2n ** 40n))).toEqual(Float32Array.of(-5, 2 ** 40));
  expect(of('BOOL', Uint8Array.of(0, 1))).toEqual(Float32Array.of(0, 1));
});

test('other types are rejected', async () => {
  for (const dtype of ['C64', 'F4', 'F6_E2M3']) {
    const data = new Uint8Array(8);
    expect(await failureOf(() => toFloat32({ dtype, shape: [8], data }))).toMatchObject({ code: 'UNSUPPORTED' });
    expect(await failureOf(() => fromFloat32(dtype, new Float32Array(1)))).toMatchObject({ reason: 'unknown_value' });
  }
  expect(await failureOf(() => fromFloat32('F16', [1]))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
});

test('files: small floats as float32 on request, and written from float32', async () => {
  const values = Float32Array.of(1, -0, 2 ** -9, Infinity, 0.1);
  const rows = types.map(([dtype]) => [dtype, { dtype, shape: [5], data: values }]);
  rows.push(['F32', { dtype: 'F32', shape: [5], data: values }]);
  const file = await writeSafetensors(rows);
  const bits = await readSafetensors(file);
  const asked = await readSafetensors(file, { floats: 'float32' });
  for (const [dtype] of types) {
    expect(bits.tensors.get(dtype).data).toEqual(fromFloat32(dtype, values));
    expect(asked.tensors.get(dtype)).toEqual({ dtype, shape: [5], data: toFloat32(bits.tensors.get(dtype)) });
    expect(toFloat32(asked.tensors.get(dtype))).toEqual(asked.tensors.get(dtype).data);
  }
  expect(asked.tensors.get('F32').data).toEqual(values);
  expect(await writeSafetensors(asked)).toEqual(file);
});
