// The imports between TypeScript files of npm/src, types included, and the rules of the layers.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { features, workers } from '../../npm/features.mjs';
import { findCycle } from './cycle.mjs';

/**
 * Folders of npm/src by level: imports only go to a lower level or stay in the folder. Folders of one level do not
 * depend on one another. '' is npm/src itself: the public API.
 */
export const levels = {
  base: 0,
  chat: 1,
  images: 1,
  text: 1,
  platform: 2,
  sources: 3,
  engine: 4,
  worker: 5,
  grammar: 5,
  ...Object.fromEntries(features.map(({ folder }) => [folder, 6])),
  // Reads the files of a model as `inspect` does.
  convert: 7,
  safetensors: 5,
  search: 7,
  site: 8,
  // Code that serves the features.
  integrations: 8,
  '': 9,
  cli: 10,
};

/** Files of one folder: more are too many to find one's way. */
export const maxFilesInFolder = 25;

/** Packages of others, and the folder that may import them. */
const packages = {
  parse5: 'site/content/',
  marked: 'site/content/',
  '@orama/stemmers': 'site/words/',
  // Not bundled: users of these entries have installed them.
  '@ai-sdk/provider': 'integrations/ai_sdk/',
  '@langchain/core': 'integrations/langchain/',
};

/** Names that the build binds (npm/src/build_modules.d.ts). */
const built = /^quintet-([a-z0-9_]+-glue|search-(kernels|threads)|late-interaction(-relaxed)?|workers|site-worker)$/;
/** The targets of `#platform/*` and `#sources/*` in package.json. */
const platforms = {
  browser: (folder, name) => `${folder}/browser/${name}.ts`,
  service_worker: (folder, name) => `${folder}/${name === 'threads' ? 'service_worker' : 'browser'}/${name}.ts`,
  node: (folder, name) => `${folder}/node/${name}.ts`,
};
const bound = /^#(platform|sources)\/(\w+)$/;
/** Roots of what a page downloads. */
const browserEntries = [
  'index.ts',
  'safetensors/index.ts',
  'site/index.ts',
  'integrations/openai/index.ts',
  'integrations/ai_sdk/index.ts',
  'integrations/langchain/index.ts',
  'site/element/index.ts',
  'site/worker/worker.ts',
  ...Object.values(workers).map((path) => path.replace('npm/src/', '')),
];

export function readModules(root) {
  const files = {};
  for (const entry of readdirSync(`${root}npm/src`, { recursive: true })) {
    if (entry.endsWith('.ts')) files[entry] = readFileSync(`${root}npm/src/${entry}`, 'utf8');
  }
  return files;
}

/** All that a file imports: statements, calls, and types in declarations. */
function importsOf(path, text) {
  const statements = text.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [...statements, ...calls].map(([, name]) =>
    name.startsWith('.') ? posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts') : name,
  );
}

const layerOf = (path) => (path.includes('/') ? path.split('/')[0] : '');

/** One sentence per import that the layers forbid. */
export function violations(files) {
  const found = [];
  const graph = {};
  for (const [path, text] of Object.entries(files)) {
    graph[path] = importsOf(path, text);
    const layer = layerOf(path);
    if (!(layer in levels)) found.push(`${path}: '${layer}' is no layer`);
    for (const imported of graph[path]) {
      if (imported.startsWith('node:') || built.test(imported)) continue;
      const owner = Object.entries(packages).find(
        ([name]) => imported === name || imported.startsWith(`${name}/`),
      )?.[1];
      if (owner && path.startsWith(owner)) continue;
      const platform = bound.exec(imported)?.[1];
      if (!platform && !(imported in files)) {
        found.push(`${path}: imports '${imported}' from outside npm/src`);
        continue;
      }
      const below = platform ?? layerOf(imported);
      // The build's declarations name types of every layer.
      if (below === layer || path === 'build_modules.d.ts') continue;
      if (!(levels[below] < levels[layer])) found.push(`${path}: imports '${imported}', which is not below '${layer}'`);
    }
  }
  for (const bind of Object.values(platforms)) {
    const whole = boundTo(bind, graph);
    const cycle = findCycle(whole);
    if (cycle) found.push(`imports in a circle: ${cycle.join(' -> ')}`);
    if (bind !== platforms.node) found.push(...nodeInBrowser(whole));
  }
  return [...new Set([...found, ...crowded(Object.keys(files))])];
}

const boundTo = (bind, graph) =>
  Object.fromEntries(
    Object.entries(graph).map(([path, imports]) => [
      path,
      imports.map((name) => {
        const [, folder, part] = bound.exec(name) ?? [];
        return folder ? bind(folder, part) : name;
      }),
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

function crowded(paths) {
  const counts = {};
  for (const path of paths) counts[posix.dirname(path)] = (counts[posix.dirname(path)] ?? 0) + 1;
  return Object.entries(counts)
    .filter(([, count]) => count > maxFilesInFolder)
    .map(([folder, count]) => `${folder}: ${count} files are more than ${maxFilesInFolder}`);
}
