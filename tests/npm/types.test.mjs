// The types are part of the API: what a caller may write compiles, what would fail does not.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (name) => fileURLToPath(new URL(`../types/${name}.ts`, import.meta.url));

/** Numbers of the lines with errors, or the errors themselves where they lie in the package's own types. */
function errorsIn(name, lib) {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: lib.map((part) => `lib.${part}.d.ts`),
    types: [],
  };
  const program = ts.createProgram([pathOf(name)], options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    if (file?.fileName !== pathOf(name)) return `${file?.fileName}: ${message}`;
    return file.getLineAndCharacterOfPosition(start).line;
  });
}

const dom = ['dom', 'dom.iterable', 'dom.asynciterable'];

test('what must compile compiles, the types of the package included', () => {
  expect(errorsIn('accepted', ['es2022', ...dom])).toEqual([]);
}, 60_000);

test('what must not compile does not', () => {
  const lines = readFileSync(pathOf('refused'), 'utf8').split('\n');
  const marked = lines.flatMap((line, i) => (line.endsWith('// refused') ? [i] : []));
  expect([...new Set(errorsIn('refused', ['es2022', ...dom]))].sort((a, b) => a - b)).toEqual(marked);
}, 60_000);
