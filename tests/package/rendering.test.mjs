// Importing the package does nothing: a server may render pages that use it.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodePath } from '../../tools/node_versions.mjs';
import { expectRight, texts } from './golden.mjs';
import { installInEmptyProject } from './packed.mjs';
import { tools, vite } from './sites.mjs';

let project;
beforeAll(() => {
  project = installInEmptyProject({ tools });
});
afterAll(() => project?.remove());

const run = promisify(execFile);
async function output(program, args) {
  const { stdout } = await run(program, args, { cwd: project.folder });
  return stdout;
}

/**
 * Prints what the import of `specifier` reached for: parts of a page that are there by halves, the network, workers.
 */
const watcher = (specifier) => `
const reached = [];
const trap = (name) => new Proxy(function () {}, {
  get: (_, key) => void reached.push(\`\${name}.\${String(key)}\`),
  set: (_, key) => reached.push(\`\${name}.\${String(key)} =\`) > 0,
  has: (_, key) => (reached.push(\`\${String(key)} in \${name}\`), false),
  apply: () => void reached.push(\`\${name}()\`),
  construct: () => (reached.push(\`new \${name}\`), {}),
});
for (const name of ['window', 'document', 'navigator', 'location', 'fetch', 'Worker', 'caches', 'indexedDB']) {
  Object.defineProperty(globalThis, name, { value: trap(name), configurable: true, writable: true });
}
for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'Memory', 'Module']) {
  WebAssembly[name] = trap(\`WebAssembly.\${name}\`);
}
const names = Object.getOwnPropertyNames(globalThis).sort().join();
const resources = process.getActiveResourcesInfo().length;
const { Embedder } = await import('${specifier}');
await new Promise(setImmediate);
if (Object.getOwnPropertyNames(globalThis).sort().join() !== names) reached.push('globals');
if (process.getActiveResourcesInfo().length > resources) reached.push(...process.getActiveResourcesInfo());
console.log(JSON.stringify({ reached, loads: typeof Embedder.load }));
`;

test.each([
  ...[20, 22, 24].map((major) => [major, 'quintet']),
  // Code that only a bundle for browsers has.
  [24, './node_modules/quintet/dist/index.js'],
  [24, './node_modules/quintet/dist/service_worker.js'],
])('in Node %i the import of %s has no side effects', async (major, specifier) => {
  writeFileSync(join(project.folder, 'watcher.mjs'), watcher(specifier));
  expect(JSON.parse(await output(nodePath(major), ['watcher.mjs']))).toEqual({ reached: [], loads: 'function' });
});

test('Vite builds a server that renders with it', async () => {
  const source = `
import { Embedder } from 'quintet';
import { embedder } from 'quintet-models';
export async function render(texts) {
  const model = await Embedder.load(embedder);
  const vectors = await model.embed(texts);
  model.close();
  return vectors.map((vector) => [...vector]);
}
`;
  mkdirSync(join(project.folder, 'src'));
  writeFileSync(join(project.folder, 'src', 'server.js'), source);
  await output(process.execPath, [vite, 'build', '--ssr', 'src/server.js', '--logLevel', 'error']);
  const program = `
import { render } from './dist/server.js';
console.log(JSON.stringify(await render(${JSON.stringify(texts)})));
`;
  writeFileSync(join(project.folder, 'serve.mjs'), program);
  expectRight.embed({ vectors: JSON.parse(await output(process.execPath, ['serve.mjs'])) });
});
