// Which TypeScript file of npm/src imports which, and what the layers say about it.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { findCycle } from './cycle.mjs';

/** Names that the build binds (npm/src/build_modules.d.ts); the last five are modules of npm/src, for each platform. */
const built = [
  ...['quintet-glue', 'quintet-decoder-glue', 'quintet-memory64-glue'],
  ...['quintet-network-glue', 'quintet-convert-glue', 'quintet-search-kernels'],
  ...['quintet-platform', 'quintet-threads', 'quintet-helpers', 'quintet-parent', 'quintet-images'],
];
const platforms = ['browser', 'node'];
/** Roots of what a page downloads. */
const browserEntries = [
  ...['index.ts', 'worker.ts', 'generator_worker.ts', 'memory64_worker.ts', 'classifier_worker.ts'],
  ...['helper.ts', 'safetensors.ts'],
];

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
      } else if (!imported.startsWith('node:') && !built.includes(imported)) {
        found.push(`${path}: imports '${imported}' from outside npm/src`);
      }
    }
  }
  for (const platform of platforms) {
    const cycle = findCycle(bind(graph, platform));
    if (cycle) found.push(`imports in a circle: ${cycle.join(' -> ')}`);
  }
  return [...new Set([...found, ...nodeInBrowser(bind(graph, 'browser'))])];
}

const bind = (graph, platform) =>
  Object.fromEntries(
    Object.entries(graph).map(([path, imports]) => [
      path,
      imports.map((name) => name.replace(/^quintet-(platform|threads|helpers|parent|images)$/, `${platform}_$1.ts`)),
    ]),
  );

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
