// The types are part of the API: what a caller may write compiles, what would fail does not.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (name) => fileURLToPath(new URL(`../types/${name}.ts`, import.meta.url));

const { ModuleKind, ModuleResolutionKind } = ts;
const resolutions = {
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};
const dom = ['dom', 'dom.iterable', 'dom.asynciterable'];

/** Numbers of the lines with errors, or the errors themselves if they are in the package's own types. */
function errorsIn(name, lib, { resolution = 'nodenext', types = [] } = {}) {
  const options = {
    ...resolutions[resolution],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['es2022', ...lib].map((part) => `lib.${part}.d.ts`),
    types,
  };
  const program = ts.createProgram([pathOf(name)], options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    if (file?.fileName !== pathOf(name)) return `${file?.fileName}: ${message}`;
    return file.getLineAndCharacterOfPosition(start).line;
  });
}

test.each(Object.keys(resolutions))(
  'what must compile compiles with %s, the types of the package included',
  (resolution) => {
    for (const name of ['accepted', 'accepted_pictures']) expect(errorsIn(name, dom, { resolution })).toEqual([]);
  },
);

test.each([
  ['of Node', [], ['node']],
  ['of workers', ['webworker'], []],
  ['of the DOM alone', ['dom'], []],
])('it needs no types but those %s', (_, lib, types) => {
  expect(errorsIn('portable', lib, { types })).toEqual([]);
});

test('wrong uses do not compile', () => {
  const lines = readFileSync(pathOf('refused'), 'utf8').split('\n');
  const marked = lines.flatMap((line, i) => (line.endsWith('// refused') ? [i] : []));
  expect([...new Set(errorsIn('refused', dom))].sort((a, b) => a - b)).toEqual(marked);
});
