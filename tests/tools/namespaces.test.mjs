// Exports by name instead of objects of exports (tools/build/namespaces.mjs).
import { exportByName } from '../../tools/build/namespaces.mjs';

const bundleOf = (codes) => ({
  'maker.js': { fileName: 'maker.js', moduleIds: ['\0rolldown/runtime.js'], code: 'export{m as t};' },
  ...Object.fromEntries(
    Object.entries(codes).map(([fileName, code]) => [fileName, { fileName, moduleIds: [`/src/${fileName}`], code }]),
  ),
});
const codesAfter = (codes) => {
  const bundle = bundleOf(codes);
  exportByName(bundle);
  return Object.fromEntries(Object.entries(bundle).map(([name, { code }]) => [name, code]));
};
const importer = 'const load=()=>import("./part.js").then(e=>e.n);';

test.each([
  ['a statement', 'import{t as r}from"./maker.js";var o=r({load:()=>a,Kind:()=>b},1);const a=1;class b{}'],
  ['the last of several variables', 'import{t as r}from"./maker.js";var c=0,o=r({load:()=>a,Kind:()=>b},1);'],
  ['the first of several variables', 'import{t as r}from"./maker.js";var o=r({load:()=>a,Kind:()=>b},1),c=0;'],
])('the object of exports is %s', (_, body) => {
  const codes = codesAfter({ 'part.js': `${body}export{a as x,o as n};`, 'entry.js': importer });
  expect(Object.keys(codes)).toEqual(['part.js', 'entry.js']);
  expect(codes['part.js']).toMatch(/export\{a as x,a as load,b as Kind\};$/);
  expect(codes['part.js']).not.toContain('load:()');
  expect(codes['part.js']).not.toContain('maker.js');
  expect(codes['entry.js']).toBe('const load=()=>import("./part.js");');
});

test.each([
  ['another chunk imports it', 'var o=r({load:()=>a},1);', 'import{x as y,n as z}from"./part.js";z.load();'],
  ['its own chunk uses it', 'var o=r({load:()=>a},1);o.load();', importer],
])('an object of exports stays if %s', (_, body, entry) => {
  const part = `import{t as r}from"./maker.js";${body}export{a as x,o as n};`;
  expect(codesAfter({ 'part.js': part, 'entry.js': entry })).toEqual({
    'maker.js': 'export{m as t};',
    'part.js': part,
    'entry.js': entry,
  });
});
