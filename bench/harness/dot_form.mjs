// Prints how this engine computes the relaxed dot product of bytes, in which int8 models spend their time. The second
// operand has only 7 bits as far as the standard goes; what becomes of 255 tells which instruction computes it
// (src/kernels/relaxed/relaxed_dot.h).
const FORMS = new Map([
  [2 * -32768, 'paired (several instructions)'],
  [4 * -128 * 255, 'fused, unsigned (one instruction, as of AVX-VNNI)'],
  [4 * -128 * -1, 'fused, signed (one instruction, as SDOT of ARM)'],
]);

// (func (export "d") (param i32 i32) (result i32)
//   (i32x4.extract_lane 0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
//     (i32x4.splat (local.get 0)) (i32x4.splat (local.get 1)) (i32x4.splat (i32.const 0)))))
const SPLAT = [0xfd, 0x11];
const BODY = [0, 0x20, 0, ...SPLAT, 0x20, 1, ...SPLAT, 0x41, 0, ...SPLAT, 0xfd, 0x93, 2, 0xfd, 0x1b, 0, 0x0b];
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f),
  ...section(3, 1, 0),
  ...section(7, 1, 1, 'd'.charCodeAt(0), 0, 0),
  ...section(10, 1, BODY.length, ...BODY),
);

const { instance } = await WebAssembly.instantiate(MODULE);
const sum = instance.exports.d(0x80808080 | 0, -1);
process.stdout.write(FORMS.get(sum) ?? `wrong: ${sum}`);
