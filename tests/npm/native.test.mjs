// npm/src/native.ts is written by hand: it names exactly what the real module has.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const source = new URL('../../npm/src/native.ts', import.meta.url);
const tree = ts.createSourceFile('native.ts', readFileSync(source, 'utf8'), ts.ScriptTarget.Latest);
const interfaces = new Map(tree.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]));
const aliases = new Map(tree.statements.filter(ts.isTypeAliasDeclaration).map((node) => [node.name.text, node.type]));

/** Names of the methods of an interface and of those that it extends. */
function methodsOf(name) {
  const node = interfaces.get(name);
  if (!node) return methodsOf(aliases.get(name).typeName.text);
  const inherited = node.heritageClauses?.flatMap((clause) => clause.types.map((type) => type.expression.text)) ?? [];
  const own = node.members.filter(ts.isMethodSignature).map((member) => member.name.text);
  return [...new Set([...own, ...inherited.flatMap(methodsOf)])];
}

/** Classes of the module with the interface of their instances. */
const classes = interfaces
  .get('NativeModule')
  .members.filter(ts.isPropertySignature)
  .map((member) => [member.name.text, member.type.type.typeName.text]);
const embindOwn = ['constructor', 'clone', 'delete', 'deleteLater', 'isAliasOf', 'isDeleted'];

const emptyModule = async () => {
  const { default: createQuintet } = await import('../../build/wasm-baseline/quintet.mjs');
  const file = new URL('../../build/wasm-baseline/quintet.wasm', import.meta.url);
  const module = await WebAssembly.compile(readFileSync(file));
  return createQuintet({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
};

test('functions of the module', async () => {
  const native = await emptyModule();
  for (const name of methodsOf('NativeModule')) expect([name, typeof native[name]]).toEqual([name, 'function']);
  expect(classes.length).toBeGreaterThan(3);
  for (const [name] of classes) expect([name, typeof native[name]]).toEqual([name, 'function']);
});

// The loader gives instances of a class that the interface does not name.
test.each([...classes, ['Embedder', 'NativeEmbedder']])('methods of %s', async (name, declared) => {
  const native = await emptyModule();
  const present = new Set();
  for (let type = native[name].prototype; type && type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const method of Object.getOwnPropertyNames(type)) if (!embindOwn.includes(method)) present.add(method);
  }
  expect([...present].sort()).toEqual(methodsOf(declared).filter((method) => method !== 'delete').sort());
});
