// Folders are layers: src/ and bindings/ by their includes, npm/src by its imports.
import { fileURLToPath } from 'node:url';
import { violations as importViolations, maxFilesInFolder, readModules } from './import_graph.mjs';
import { violations as includeViolations, readSources } from './include_graph.mjs';

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
  ])('are rejected: %s', (_, files) => {
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
  test('only go down', () => {
    const modules = readModules(root);
    expect(Object.keys(modules).length).toBeGreaterThan(100);
    expect(importViolations(modules)).toEqual([]);
  });

  test.each([
    ['upwards', { 'base/a.ts': "import { b } from '../engine/b.js';", 'engine/b.ts': '' }],
    ['of types upwards', { 'base/a.ts': "import type { B } from '../engine/b.js';", 'engine/b.ts': '' }],
    ['when needed, upwards', { 'base/a.ts': "const b = () => import('../engine/b.js');", 'engine/b.ts': '' }],
    ['of another feature', { 'embed/a.ts': "export * from '../generate/b.js';", 'generate/b.ts': '' }],
    ['of the command line', { 'index.ts': "import { run } from './cli/run.js';", 'cli/run.ts': '' }],
    ['of the platform from above it', { 'base/a.ts': "import { threads } from '#platform/threads';" }],
    ['of what lies outside', { 'a.ts': "export * from '../../web/b.js';" }],
    ['of other packages', { 'a.ts': "import {\n  b,\n} from 'lodash';" }],
    ['in a circle', { 'base/a.ts': "import { b } from './b.js';", 'base/b.ts': "const a = import('./a.js');" }],
    [
      'of types in a circle',
      { 'base/a.ts': "import type { B } from './b.js';", 'base/b.ts': "import { a } from './a.js';" },
    ],
    [
      'in a circle through the platform',
      { 'sources/a.ts': "import { files } from '#sources/files';", 'sources/node/files.ts': "import '../a.js';" },
    ],
    ['of Node in browsers', { 'index.ts': "import './a.js';", 'a.ts': "import fs from 'node:fs';" }],
    ['from no layer', { 'utils/a.ts': '' }],
  ])('are rejected: %s', (_, files) => {
    expect(importViolations(files)).toHaveLength(1);
  });

  test('are accepted downwards and within a folder', () => {
    const files = {
      'embed/a.ts': "import type { B } from './b.js';\nimport { threads } from '#platform/threads';",
      'embed/b.ts': "import glue from 'quintet-embedder-glue';\nimport { c } from '../base/c.js';",
      'base/c.ts': '',
    };
    expect(importViolations(files)).toEqual([]);
  });

  test('do not crowd a folder', () => {
    const folder = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`base/${i}.ts`, '']));
    expect(importViolations(folder(maxFilesInFolder))).toEqual([]);
    expect(importViolations(folder(maxFilesInFolder + 1))).toHaveLength(1);
  });
});
