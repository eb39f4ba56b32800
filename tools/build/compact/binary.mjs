// Numbers, vectors and sections of a WebAssembly module (core specification 2.0, chapter 5).

export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  get done() {
    return this.at >= this.bytes.length;
  }
  skip(size) {
    this.at += size;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** LEB128, section 5.2.2. */
  unsigned() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  vector() {
    const size = this.unsigned();
    this.skip(size);
    return this.since(this.at - size);
  }
  /** A vector whose elements `read` reads. */
  list(read) {
    return Array.from({ length: this.unsigned() }, read);
  }
  since(begin) {
    return this.bytes.subarray(begin, this.at);
  }
}

export function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

export const sized = (bytes) => Buffer.concat([unsigned(bytes.length), bytes]);
export const list = (elements) => Buffer.concat([unsigned(elements.length), ...elements]);

/** Section 5.5.2. */
export const sectionIds = {
  ...{ custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7 },
  ...{ start: 8, element: 9, code: 10, data: 11, dataCount: 12 },
};
const magic = Buffer.from('\0asm\x01\0\0\0', 'latin1');

/** The content of each section by its id, in the order of the module. */
export function sectionsOf(bytes) {
  const sections = new Map();
  for (const read = new Reader(bytes, magic.length); !read.done; ) {
    const id = read.byte();
    if (sections.has(id) || id === sectionIds.custom)
      throw new Error(`there is a custom section, or two sections ${id}`);
    sections.set(id, read.vector());
  }
  return sections;
}

export const moduleOf = (sections) =>
  Buffer.concat([
    magic,
    ...Array.from(sections, ([id, content]) => Buffer.concat([Buffer.from([id]), sized(content)])),
  ]);

/** Moves over a function's type, or a memory's limits: the modules import nothing else (section 5.5.5). */
export function skipImport(read) {
  const isMemory = read.byte() === 2;
  const hasMaximum = isMemory && (read.byte() & 1) === 1;
  read.unsigned();
  if (hasMaximum) read.unsigned();
  return { isFunction: !isMemory };
}
