// The source files that run between `Embedder.load('hf:…')` on a page and the first vector: on the page, in its worker
// and in the compute threads. The package is bundled file by file, and each function reports once in which file it is.

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { rolldown } from 'rolldown';
import { bundling, forBrowsers } from '../../tools/build/javascript.mjs';
import { listen } from '../npm/helpers/servers/http_server.mjs';
import { serveHub } from '../npm/helpers/servers/hub_server.mjs';
import { launch } from './browsers.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = `${root}npm/src/`;
const entries = { embedder_worker: 'embed/worker.ts', compute_thread: 'engine/threads/compute_thread.ts' };
const model = `${root}tests/fixtures/encoders/bert-xlmr-mean/`;

/** Their paths in npm/src, sorted. With two threads, on any machine. */
export async function walkToFirstVector() {
  const server = await serveFiles(await bundleByFile());
  const hub = await serveHub();
  const browser = await launch();
  try {
    const files = readdirSync(model, { recursive: true }).filter((path) => extname(path) !== '');
    hub.add('zoo/encoder', Object.fromEntries(files.map((path) => [path, readFileSync(model + path)])));
    const page = await browser.newPage();
    await page.goto(`${server.url}page.html`);
    const { walked, runtime } = await page.evaluate(walk, { endpoint: hub.endpoint });
    if (!runtime.worker || runtime.threads < 2) throw new Error(`not the usual way: ${JSON.stringify(runtime)}`);
    return [...new Set(['index.ts', ...Object.values(entries), ...walked])].sort();
  } finally {
    await browser.close();
    await Promise.all([server.close(), hub.close()]);
  }
}

/** Runs on the page. What files do when they are loaded does not count. */
async function walk({ endpoint }) {
  const { Embedder } = await import('/index.js');
  const channel = new BroadcastChannel('walk');
  const walked = new Set();
  channel.onmessage = ({ data }) => walked.add(data);
  globalThis.isWalking = true;
  const embedder = await Embedder.load('hf:zoo/encoder', { hub: { endpoint }, threads: 2 });
  await embedder.embed('a text');
  globalThis.isWalking = false;
  // Messages arrive in order.
  new BroadcastChannel('walk').postMessage('end');
  while (!walked.delete('end')) await new Promise((resolve) => setTimeout(resolve));
  const { runtime } = embedder.info;
  embedder.close();
  return { walked: [...walked], runtime };
}

/** Scripts by path, a file of npm/src each, with functions that report when the first one runs. */
async function bundleByFile() {
  const input = ['index.ts', ...Object.values(entries)].map((path) => sources + path);
  const build = await rolldown({ ...bundling(forBrowsers), input });
  const { output } = await build.generate({
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: sources,
    entryFileNames: '[name].js',
  });
  await build.close();
  return new Map(output.map((chunk) => [chunk.fileName, speaking(chunk)]));
}

function speaking({ code, moduleIds }) {
  const id = moduleIds.find((each) => each.startsWith(sources) && each.endsWith('.ts'));
  if (!id) return code;
  const inserted = [];
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), ({ type, body }) => {
    if (!/Function/.test(type)) return;
    if (body.type === 'BlockStatement') inserted.push([body.start + 1, '$say();']);
    else inserted.push([body.start, '($say(), '], [body.end, ')']);
  });
  inserted.sort(([a], [b]) => b - a);
  const spoken = inserted.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), code);
  return `${spoken}
var $said;
function $say() {
  if ($said || !globalThis.isWalking) return;
  $said = true;
  new BroadcastChannel('walk').postMessage(${JSON.stringify(id.slice(sources.length))});
}`;
}

function visit(node, job) {
  if (typeof node.type === 'string') job(node);
  for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child, job);
}

const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Each file refers to workers and modules as if all were in one folder. */
async function serveFiles(scripts) {
  return listen(({ url }, response) => {
    const name = url.split('/').at(-1);
    const answer = (type, body) => response.writeHead(200, { 'content-type': type, ...isolation }).end(body);
    if (name === 'page.html') return answer('text/html', '<!doctype html><title>quintet</title>');
    if (name.endsWith('.wasm')) return answer('application/wasm', readFileSync(`${root}dist/${name}`));
    const entry = entries[name.replace('.js', '')]?.replace('.ts', '.js');
    const script = scripts.get(url.slice(1)) ?? (entry && `import '/${entry}';\nglobalThis.isWalking = true;`);
    return script ? answer('text/javascript', script) : response.writeHead(404).end();
  });
}
