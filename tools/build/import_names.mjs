// Shorter names for what a module imports from its glue. Emscripten can shorten them too, by how often a module uses
// each. But then every variant of a module would need its own glue, and a module of another version could be linked by
// mistake.

import { list, moduleOf, Reader, sectionIds, sectionsOf, sized, skipImport } from './compact/binary.mjs';

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

/** Gives a module's imports the names of this map. */
export function moduleWithShortNames(bytes, names) {
  const sections = sectionsOf(bytes);
  const imports = sections.get(sectionIds.import);
  const read = new Reader(imports);
  const renamed = list(read.list(() => renamedImport(read, names)));
  if (!read.done) throw new Error('the import section has another form than tools/build/import_names.mjs expects');
  return moduleOf(sections.set(sectionIds.import, renamed));
}

function renamedImport(read, names) {
  const module = read.vector();
  const name = read.vector();
  const begin = read.at;
  skipImport(read);
  return Buffer.concat([sized(module), sized(Buffer.from(names.get(name.toString()) ?? name)), read.since(begin)]);
}
