// The instructions of a function's body: what follows each opcode (WebAssembly core specification 2.0, section 5.4, with
// threads and relaxed SIMD).
import { Reader, unsigned } from './binary.mjs';

const range = (first, last, form) => Array.from({ length: last - first + 1 }, (_, i) => [first + i, form]);

/** An opcode after one of these bytes is a number: the table has `prefix << 16 | number`. */
const prefixes = new Set([0xfc, 0xfd, 0xfe]);
const bulk = (first, last, form) => range(0xfc0000 + first, 0xfc0000 + last, form);
const vectors = (first, last, form) => range(0xfd0000 + first, 0xfd0000 + last, form);
const atomics = (first, last, form) => range(0xfe0000 + first, 0xfe0000 + last, form);

/** The form of each instruction that the compiler uses: names of what `skip` moves over. */
const forms = new Map([
  ...[...range(0x00, 0x01, []), ...range(0x02, 0x04, ['signed']), ...range(0x05, 0x05, []), ...range(0x0b, 0x0b, [])],
  ...[...range(0x0c, 0x0d, ['unsigned']), ...range(0x0e, 0x0e, ['labels', 'unsigned']), ...range(0x0f, 0x0f, [])],
  ...[...range(0x10, 0x10, ['function']), ...range(0x11, 0x11, ['unsigned', 'unsigned']), ...range(0x1a, 0x1b, [])],
  ...[...range(0x20, 0x22, ['local']), ...range(0x23, 0x24, ['unsigned'])],
  ...[...range(0x28, 0x3e, ['alignment', 'unsigned']), ...range(0x3f, 0x40, ['unsigned'])],
  ...[...range(0x41, 0x42, ['signed']), ...range(0x43, 0x43, ['bytes4']), ...range(0x44, 0x44, ['bytes8'])],
  ...range(0x45, 0xc4, []),
  ...[...bulk(0, 7, []), ...bulk(8, 8, ['unsigned', 'unsigned']), ...bulk(9, 9, ['unsigned'])],
  ...[...bulk(10, 10, ['unsigned', 'unsigned']), ...bulk(11, 11, ['unsigned'])],
  ...[...vectors(0, 11, ['alignment', 'unsigned']), ...vectors(12, 13, ['bytes16']), ...vectors(14, 20, [])],
  ...[...vectors(21, 34, ['byte']), ...vectors(35, 83, []), ...vectors(84, 91, ['alignment', 'unsigned', 'byte'])],
  ...[...vectors(92, 93, ['alignment', 'unsigned']), ...vectors(94, 0x113, [])],
  // The alignment of atomic accesses is not a hint: it must be that of the type.
  ...[
    ...atomics(0, 2, ['unsigned', 'unsigned']),
    ...atomics(3, 3, ['byte']),
    ...atomics(16, 78, ['unsigned', 'unsigned']),
  ],
]);

const signed = (read) => {
  while (read.byte() > 127);
};
const skip = {
  signed,
  unsigned: (read) => read.unsigned(),
  labels: (read) => read.list(() => read.unsigned()),
  alignment: (read) => read.unsigned(),
  byte: (read) => read.skip(1),
  bytes4: (read) => read.skip(4),
  bytes8: (read) => read.skip(8),
  bytes16: (read) => read.skip(16),
};

/**
 * One after another: `opcode`, and `local` or `callee`, the index, or `text`, all of its bytes as characters. `alignment`
 * is the place of an alignment hint in this text.
 */
export function instructionsOf(code) {
  const instructions = [];
  for (const read = new Reader(code); !read.done; ) instructions.push(instruction(read));
  return instructions;
}

function instruction(read) {
  const begin = read.at;
  const first = read.byte();
  const opcode = prefixes.has(first) ? (first << 16) | read.unsigned() : first;
  const form = forms.get(opcode);
  if (!form) throw new Error(`instruction 0x${opcode.toString(16)} is not in the table of tools/build/compact`);
  if (form[0] === 'local') return { opcode, local: read.unsigned() };
  if (form[0] === 'function') return { opcode, callee: read.unsigned() };
  const alignment = form[0] === 'alignment' ? read.at - begin : undefined;
  for (const part of form) skip[part](read);
  return { opcode, text: read.since(begin).toString('latin1'), alignment };
}

export function encoded({ opcode, local, callee, text }) {
  if (text !== undefined) return Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([opcode]), unsigned(local ?? callee)]);
}
