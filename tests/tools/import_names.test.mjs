// Shorter names for the imports of modules (tools/build/import_names.mjs).
import { glueWithShortNames, moduleWithShortNames, shortNames } from '../../tools/build/import_names.mjs';

const glue = 'var wasmImports={_embind_register_bool:f,_embind_register_bigint:g,memory:wasmMemory};rest()';
const names = new Map([
  ['_embind_register_bool', 'erbl'],
  ['_embind_register_bigint', 'erbt'],
]);

const text = (value) => [value.length, ...Buffer.from(value)];

// Imports a memory of 1 to 300 pages and two functions, and exports a function that returns the sum of theirs.
const module = Buffer.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7f],
  ...[2, 75, 3],
  ...[...text('env'), ...text('memory'), 2, 1, 1, 0xac, 2],
  ...[...text('env'), ...text('_embind_register_bool'), 0, 0],
  ...[...text('env'), ...text('_embind_register_bigint'), 0, 0],
  ...[3, 2, 1, 0],
  ...[7, 7, 1, ...text('sum'), 0, 2],
  ...[10, 9, 1, 7, 0, 0x10, 0, 0x10, 1, 0x6a, 0x0b],
]);

test('a name is the initials of its words and the last letter; the memory keeps its own', () => {
  expect(shortNames(glue)).toEqual(names);
});

test('the glue provides the functions under these names', () => {
  expect(glueWithShortNames(glue)).toBe('var wasmImports={erbl:f,erbt:g,memory:wasmMemory};rest()');
});

test('a module with these names runs', async () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 300 });
  const before = { env: { memory, _embind_register_bool: () => 40, _embind_register_bigint: () => 2 } };
  const after = { env: { memory, erbl: () => 40, erbt: () => 2 } };
  const shorter = moduleWithShortNames(module, names);
  expect(shorter.length).toBeLessThan(module.length);
  expect((await WebAssembly.instantiate(module, before)).instance.exports.sum()).toBe(42);
  expect((await WebAssembly.instantiate(shorter, after)).instance.exports.sum()).toBe(42);
});

test('two functions with one short name are an error', () => {
  expect(() => shortNames('var wasmImports={_emval_call:f,_emval_crawl:g};')).toThrow(
    'two imports have one short name',
  );
});

test('glue of another form is an error', () => {
  expect(() => shortNames('var imports={}')).toThrow('another form');
});
