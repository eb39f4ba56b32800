// A module whose functions can be changed and reordered.
import { list, moduleOf, Reader, sectionIds, sectionsOf, sized, skipImport, unsigned } from './binary.mjs';
import { encoded, instructionsOf } from './instructions.mjs';

/**
 * `functions`: `type` (index), `parameters` (how many), `locals` (the type of each that is not a parameter) and
 * `instructions`. Indices of functions, such as those of calls, are their places after the `imported` ones.
 */
export function programOf(bytes) {
  const sections = sectionsOf(bytes);
  const reader = (name) => new Reader(sections.get(sectionIds[name]) ?? Buffer.from([0]));
  const types = reader('type');
  const parameters = types.list(() => parametersOf(types));
  const imports = reader('import');
  const imported = imports.list(() => {
    imports.skip(imports.unsigned());
    imports.skip(imports.unsigned());
    return skipImport(imports);
  });
  const declared = reader('function');
  const typeOf = declared.list(() => declared.unsigned());
  const code = reader('code');
  const functions = code.list((_, i) => ({
    type: typeOf[i],
    parameters: parameters[typeOf[i]],
    ...bodyOf(new Reader(code.vector())),
  }));
  return { sections, imported: imported.filter(({ isFunction }) => isFunction).length, functions };
}

function parametersOf(read) {
  read.skip(1);
  const { length } = read.vector();
  read.skip(read.unsigned());
  return length;
}

function bodyOf(read) {
  const locals = read.list(() => Array(read.unsigned()).fill(read.byte())).flat();
  return { locals, instructions: instructionsOf(read.bytes.subarray(read.at)) };
}

export function bytesOf({ sections, functions }) {
  const types = functions.map(({ type }) => unsigned(type));
  return moduleOf(
    new Map(sections).set(sectionIds.function, list(types)).set(sectionIds.code, list(functions.map(body))),
  );
}

function body({ locals, instructions }) {
  const runs = [];
  for (const type of locals) {
    if (runs.at(-1)?.type === type) ++runs.at(-1).count;
    else runs.push({ type, count: 1 });
  }
  const declared = runs.map(({ type, count }) => Buffer.concat([unsigned(count), Buffer.from([type])]));
  return sized(Buffer.concat([list(declared), ...instructions.map(encoded)]));
}

/** Puts the functions into the order of `places`, and corrects every index. */
export function reorder(program, places) {
  const { sections, imported, functions } = program;
  const order = new Map(places.map((from, to) => [from + imported, to + imported]));
  const renumbered = (index) => order.get(index) ?? index;
  program.functions = places.map((from) => functions[from]);
  for (const { instructions } of functions)
    for (const each of instructions) if (each.callee !== undefined) each.callee = renumbered(each.callee);
  for (const [name, rewrite] of Object.entries({ export: exports, start, element: elements })) {
    const content = sections.get(sectionIds[name]);
    if (content) sections.set(sectionIds[name], rewrite(new Reader(content), renumbered));
  }
}

const start = (read, renumbered) => unsigned(renumbered(read.unsigned()));

function exports(read, renumbered) {
  return list(
    read.list(() => {
      const name = sized(read.vector());
      const kind = read.byte();
      const index = read.unsigned();
      return Buffer.concat([name, Buffer.from([kind]), unsigned(kind === 0 ? renumbered(index) : index)]);
    }),
  );
}

/** Functions of the first table, from a constant place on. */
function elements(read, renumbered) {
  return list(
    read.list(() => {
      const begin = read.at;
      const [flags, opcode] = [read.unsigned(), read.byte()];
      while (read.byte() > 127);
      if (flags !== 0 || ![0x41, 0x42].includes(opcode) || read.byte() !== 0x0b)
        throw new Error('the element section has another form than tools/build/compact expects');
      const place = read.since(begin);
      return Buffer.concat([place, list(read.list(() => unsigned(renumbered(read.unsigned()))))]);
    }),
  );
}
