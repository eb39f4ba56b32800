// The program of docs/bundlers.md for Cloudflare Workers, bundled as wrangler does it, in the runtime of Workers.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { workerdPath } from '../../tools/node_versions.mjs';
import { model, texts, worstCosine } from './golden.mjs';
import { installInEmptyProject } from './packed.mjs';
import { exampleOf } from './sites.mjs';

/** The program and the binding of its assets, configured like wrangler does it. */
const configuration = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.js", esModule = embed "worker.js"),
        (name = "quintet-embedder-relaxed.wasm", wasm = embed "quintet-embedder-relaxed.wasm"),
      ],
      compatibilityDate = "2026-04-01",
      bindings = [(name = "ASSETS", service = "assets")],
    )),
    (name = "assets", disk = "public"),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;

let project;
let workerd;
let url;
beforeAll(async () => {
  project = installInEmptyProject();
  const { folder } = project;
  writeFileSync(join(folder, 'main.js'), exampleOf('Cloudflare Workers', 'js'));
  await build({
    entryPoints: [join(folder, 'main.js')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [{ name: 'modules', setup: (it) => it.onResolve({ filter: /\.wasm$/ }, compiledModule) }],
  });
  const module = 'quintet-embedder-relaxed.wasm';
  cpSync(join(folder, 'node_modules/quintet/dist', module), join(folder, module));
  mkdirSync(join(folder, 'public'));
  cpSync(model, join(folder, 'public/embedder.weights'));
  writeFileSync(join(folder, 'config.capnp'), configuration);
  workerd = spawn(workerdPath, ['serve', 'config.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(workerd.stdout)) {
    const { event, port } = JSON.parse(line);
    if (event !== 'listen') continue;
    url = `http://127.0.0.1:${port}`;
    break;
  }
});
afterAll(() => {
  workerd?.kill();
  project?.remove();
});

const compiledModule = ({ path }) => ({ path: path.replace('quintet/', './'), external: true });

const answerTo = async (request) => (await fetch(url, { method: 'POST', body: JSON.stringify(request) })).json();

test('requests that come together and after one another have the vectors of the model', async () => {
  const together = await Promise.all([0, 1, 2].map(() => answerTo({ texts })));
  const answers = [...together, await answerTo({ texts })];
  for (const vectors of answers) expect(worstCosine(vectors)).toBeGreaterThanOrEqual(0.99);
});
