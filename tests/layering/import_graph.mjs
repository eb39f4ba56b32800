// Which TypeScript file of npm/src imports which, and what the layers say about it.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { findCycle } from './cycle.mjs';

/** What is imported by name: the wasm glue (bound by the build) and the package of default models. */
const packages = ['quintet-glue', 'quintet-models'];
/** Roots of what a page downloads. */
const browserEntries = ['index.ts', 'worker.ts'];

export function readModules(root) {
  const files = {};
  for (const entry of readdirSync(`${root}npm/src`, { recursive: true })) {
    if (entry.endsWith('.ts')) files[entry] = readFileSync(`${root}npm/src/${entry}`, 'utf8');
  }
  return files;
}

/** Imports that exist at run time; those of types are erased. */
function importsOf(path, text) {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [...statements, ...calls].map(([, name]) =>
    name.startsWith('.') ? posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts') : name,
  );
}

/** One sentence per import that the layers forbid. */
export function violations(files) {
  const found = [];
  const graph = {};
  for (const [path, text] of Object.entries(files)) {
    graph[path] = importsOf(path, text);
    for (const imported of graph[path]) {
      if (imported in files) {
        if (imported.startsWith('cli/') && !path.startsWith('cli/')) {
          found.push(`${path}: the package does not know its command line (${imported})`);
        }
      } else if (!imported.startsWith('node:') && !packages.includes(imported)) {
        found.push(`${path}: imports '${imported}' from outside npm/src`);
      }
    }
  }
  const cycle = findCycle(graph);
  if (cycle) found.push(`imports in a circle: ${cycle.join(' -> ')}`);
  return [...found, ...nodeInBrowser(graph)];
}

function nodeInBrowser(graph) {
  const reached = new Set(browserEntries);
  const found = [];
  for (const path of reached) {
    for (const imported of graph[path] ?? []) {
      if (imported.startsWith('node:')) found.push(`${path}: browsers have no '${imported}'`);
      reached.add(imported);
    }
  }
  return found;
}
