// native.ts of a folder of npm/src is written by hand: it names exactly what the real modules have.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { instanceOf } from '../helpers/native_instance.mjs';

const statements = [
  'engine',
  'embed',
  'rerank',
  'label',
  'generate',
  'classify',
  'image_embed',
  'inspect',
  'tokenize',
  'grammar',
].flatMap((folder) => {
  const source = new URL(`../../../npm/src/${folder}/native.ts`, import.meta.url);
  return [...ts.createSourceFile('native.ts', readFileSync(source, 'utf8'), ts.ScriptTarget.Latest).statements];
});
const interfaces = new Map(statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]));
const aliases = new Map(statements.filter(ts.isTypeAliasDeclaration).map((node) => [node.name.text, node.type]));

/** Names of the methods of an interface and of those that it extends. */
function methodsOf(name) {
  const node = interfaces.get(name);
  if (!node) return methodsOf(aliases.get(name).typeName.text);
  const inherited = node.heritageClauses?.flatMap((clause) => clause.types.map((type) => type.expression.text)) ?? [];
  const own = node.members.filter(ts.isMethodSignature).map((member) => member.name.text);
  return [...new Set([...own, ...inherited.flatMap(methodsOf)])];
}

/** Classes of a module with the interfaces of their instances. */
const classesOf = (module) =>
  interfaces
    .get(module)
    .members.filter(ts.isPropertySignature)
    .map((member) => [member.name.text, member.type.type.typeName.text]);
const embindOwn = ['constructor', 'clone', 'delete', 'deleteLater', 'isAliasOf', 'isDeleted'];

const modules = [
  // The loaders give instances of classes that the interfaces of the modules do not name.
  { name: 'embedder', declared: 'NativeEmbedderModule', handedOut: [['Embedder', 'NativeEmbedder']] },
  { name: 'embedder', declared: 'NativeRerankerModule', handedOut: [['Reranker', 'NativeReranker']] },
  { name: 'embedder', declared: 'NativeLabelerModule', handedOut: [['Labeler', 'NativeLabeler']] },
  {
    name: 'generator',
    declared: 'NativeGeneratorModule',
    handedOut: [
      ['Generator', 'NativeGenerator'],
      ['Session', 'NativeSession'],
      ['CacheLoader', 'NativeReader'],
      ['CacheWriter', 'NativeCacheWriter'],
    ],
  },
  { name: 'classifier', declared: 'NativeClassifierModule', handedOut: [['Classifier', 'NativeClassifier']] },
  {
    name: 'image_embedder',
    declared: 'NativeImageEmbedderModule',
    handedOut: [['ImageEmbedder', 'NativeImageEmbedder']],
  },
  { name: 'files', declared: 'NativeFilesModule', handedOut: [['CacheWriter', 'NativeCacheWriter']] },
  { name: 'tokenizer', declared: 'NativeTokenizerModule', handedOut: [['Tokenizer', 'NativeTokenizer']] },
  {
    name: 'grammar',
    declared: 'NativeGrammarModule',
    handedOut: [
      ['Grammar', 'NativeGrammar'],
      ['ConstrainedTokens', 'NativeConstrainedTokens'],
      ['TokenMatcher', 'NativeTokenMatcher'],
    ],
  },
];

describe.each(modules)('$declared', ({ name, declared, handedOut }) => {
  const classes = classesOf(declared);
  let native;
  beforeAll(async () => {
    native = await instanceOf(name);
  });

  test('has the functions and classes', () => {
    for (const name of methodsOf(declared)) expect([name, typeof native[name]]).toEqual([name, 'function']);
    expect(classes.length).toBeGreaterThan(0);
    for (const [name] of classes) expect([name, typeof native[name]]).toEqual([name, 'function']);
  });

  test.each([...classes, ...handedOut])('has the methods of %s', (name, declaredMethods) => {
    const present = new Set();
    for (let type = native[name].prototype; type && type !== Object.prototype; type = Object.getPrototypeOf(type)) {
      for (const method of Object.getOwnPropertyNames(type)) if (!embindOwn.includes(method)) present.add(method);
    }
    expect([...present].sort()).toEqual(
      methodsOf(declaredMethods)
        .filter((method) => method !== 'delete')
        .sort(),
    );
  });
});
