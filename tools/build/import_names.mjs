// Shorter names for what a module imports from its glue. Emscripten can shorten them too, by how often a module uses
// each. But then every variant of a module would need its own glue, and a module of another version could be linked by
// mistake.

const importSection = 2;
const provided = /var wasmImports=\{(.*?)\}/;

/** For each function that the glue provides, the initials of its name's words and the last letter. */
export function shortNames(glue) {
  const functions = providedBy(glue).filter(([name]) => name !== 'memory');
  const names = new Map(functions.map(([name]) => [name, name.replaceAll(/_*(\w)[^\W_]*?(?=_|\w$)/g, '$1')]));
  if (new Set(names.values()).size < names.size) throw new Error('two imports have one short name');
  return names;
}

export function glueWithShortNames(glue) {
  const names = shortNames(glue);
  const entries = providedBy(glue).map(([name, value]) => `${names.get(name) ?? name}:${value}`);
  return glue.replace(provided, `var wasmImports={${entries}}`);
}

function providedBy(glue) {
  const [, entries] = provided.exec(glue) ?? [];
  if (!entries) throw new Error('the JavaScript glue has another form than tools/build/import_names.mjs expects');
  return entries.split(',').map((entry) => entry.split(':'));
}

/** Gives a module's imports the names of this map (WebAssembly core specification 2.0, sections 5.5.2 and 5.5.5). */
export function moduleWithShortNames(bytes, names) {
  const read = new Reader(bytes);
  read.skip('\0asm\x01\0\0\0'.length);
  for (;;) {
    const begin = read.at;
    const id = read.byte();
    const size = read.unsigned();
    if (id !== importSection) {
      read.skip(size);
      continue;
    }
    const end = read.at + size;
    const imports = renamed(read, names);
    if (read.at !== end)
      throw new Error('the import section has another form than tools/build/import_names.mjs expects');
    return Buffer.concat([bytes.subarray(0, begin), Buffer.from([id]), sized(imports), bytes.subarray(end)]);
  }
}

function renamed(read, names) {
  const count = read.unsigned();
  const parts = [unsigned(count)];
  for (let i = 0; i < count; ++i) {
    parts.push(sized(read.vector()));
    const name = read.vector();
    parts.push(sized(Buffer.from(names.get(name.toString()) ?? name)));
    const begin = read.at;
    skipDescription(read);
    parts.push(read.since(begin));
  }
  return Buffer.concat(parts);
}

/** The modules import functions and memories. */
function skipDescription(read) {
  const isMemory = read.byte() === 2;
  const hasMaximum = isMemory && (read.byte() & 1) === 1;
  read.unsigned();
  if (hasMaximum) read.unsigned();
}

class Reader {
  at = 0;
  constructor(bytes) {
    this.bytes = bytes;
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
  since(begin) {
    return this.bytes.subarray(begin, this.at);
  }
}

function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

const sized = (bytes) => Buffer.concat([unsigned(bytes.length), bytes]);
