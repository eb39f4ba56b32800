// Folders are layers: src/ and bindings/ by their includes, npm/src by its imports.
import { fileURLToPath } from 'node:url';
import { readModules, violations as importViolations } from './import_graph.mjs';
import { readSources, violations as includeViolations } from './include_graph.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('includes', () => {
  test('only go down', () => {
    const sources = readSources(root);
    expect(Object.keys(sources).length).toBeGreaterThan(10);
    expect(includeViolations(sources)).toEqual([]);
  });

  test.each([
    ['upwards', { 'base/a.h': '#include "tensor/b.h"', 'tensor/b.h': '' }],
    ['to a sibling', { 'formats/a.cc': '  # include "kernels/b.h"', 'kernels/b.h': '' }],
    ['a file that is not there', { 'base/a.h': '#include "b.h"', 'base/b.h': '' }],
    ['from no layer', { 'utils/a.h': '' }],
    ['in a circle', { 'base/a.h': '#include "base/b.h"', 'base/b.h': '#include "base/a.h"' }],
  ])('are refused: %s', (_, files) => {
    expect(includeViolations(files)).toHaveLength(1);
  });

  test('are accepted downwards and within a folder', () => {
    const files = {
      'bindings/a.cc': '#include <vector>\n#include "runtime/a.h"',
      'runtime/a.h': '#include "base/a.h"\n#include "runtime/b.h"',
      'runtime/b.h': '',
      'base/a.h': '',
    };
    expect(includeViolations(files)).toEqual([]);
  });
});

describe('imports', () => {
  test('stay in their layer', () => {
    const modules = readModules(root);
    expect(Object.keys(modules).length).toBeGreaterThan(3);
    expect(importViolations(modules)).toEqual([]);
  });

  test.each([
    ['the command line', { 'node.ts': "import { run } from './cli/run.js';", 'cli/run.ts': '' }],
    ['what lies outside', { 'a.ts': "export * from '../../web/b.js';" }],
    ['other packages', { 'a.ts': "import {\n  b,\n} from 'lodash';" }],
    ['in a circle', { 'a.ts': "import { b } from './b.js';", 'b.ts': "const a = import('./a.js');" }],
    [
      'a circle through the platform',
      { 'a.ts': "import { platform } from 'quintet-platform';", 'node_platform.ts': "import './a.js';" },
    ],
    ['Node in browsers', { 'index.ts': "import './a.js';", 'a.ts': "import fs from 'node:fs';" }],
  ])('are refused: %s', (_, files) => {
    expect(importViolations(files)).toHaveLength(1);
  });

  test('of types may go in a circle', () => {
    const files = { 'a.ts': "import type { B } from './b.js';", 'b.ts': "import { a } from './a.js';" };
    expect(importViolations(files)).toEqual([]);
  });
});
