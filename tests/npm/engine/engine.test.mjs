// The choice of the WebAssembly module and of its kernels.
import { readFileSync } from 'node:fs';
import { capabilities, Embedder } from 'quintet';
import { nodePath } from '../../../tools/node_versions.mjs';
import { base, baseRows, expectRows, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { run } from '../helpers/program.mjs';
import { listen } from '../helpers/servers/http_server.mjs';

const wasmFile = (variant) => new URL(`../../../dist/quintet-embedder-${variant}.wasm`, import.meta.url);
const wasm = readFileSync(wasmFile('baseline'));
const { relaxedSimd } = capabilities();
const major = Number(process.versions.node.split('.')[0]);

async function runtimeOf(options) {
  const embedder = await Embedder.load(pathOf(base), options);
  try {
    expectRows(await embedder.embed(texts), baseRows.slice(0, texts.length));
    return embedder.info.runtime;
  } finally {
    embedder.close();
  }
}

test('relaxed SIMD is seen where the engine has it', () => {
  expect(capabilities()).toMatchObject({ simd: true, relaxedSimd: major >= 22, threads: true, worker: false });
});

test('the best variant is chosen, and missing features are named', async () => {
  const { variant, kernels, fallbacks } = await runtimeOf({});
  if (relaxedSimd) {
    expect({ variant, kernels, fallbacks }).toEqual({ variant: 'relaxed', kernels: 'relaxed', fallbacks: [] });
  } else {
    expect({ variant, kernels }).toEqual({ variant: 'baseline', kernels: 'simd128' });
    expect(fallbacks[0].message).toContain('no relaxed SIMD');
  }
});

test('a variant can be forced', async () => {
  const baseline = { variant: 'baseline', kernels: 'simd128', fallbacks: [] };
  expect(await runtimeOf({ variant: 'baseline' })).toMatchObject(baseline);
  const relaxed = { variant: 'relaxed', kernels: 'relaxed', fallbacks: [] };
  if (relaxedSimd) expect(await runtimeOf({ variant: 'relaxed' })).toMatchObject(relaxed);
  else expect(await failureOf(runtimeOf({ variant: 'relaxed' }))).toMatchObject({ code: 'UNSUPPORTED' });
});

// Node 20's relaxed SIMD, behind a flag, gives wrong sums in its first tier.
test('kernels with wrong results are left out', async () => {
  const node = nodePath(20);
  const program = (options) => `
    import { Embedder, capabilities } from 'quintet';
    const answer = { relaxedSimd: capabilities().relaxedSimd };
    try {
      const embedder = await Embedder.load(${JSON.stringify(pathOf(base))}, ${options});
      answer.vector = [...await embedder.embed(${JSON.stringify(texts[0])})];
      answer.runtime = capabilities().runtime;
    } catch (error) { answer.error = { code: error.code, reason: error.reason }; }
    console.log(JSON.stringify(answer));`;
  const flags = ['--experimental-wasm-relaxed-simd', '--liftoff', '--no-wasm-tier-up'];
  const answer = await run(program('{}'), { flags, node });
  expect(answer.relaxedSimd).toBe(true);
  expect(answer.runtime).toMatchObject({ variant: 'baseline', kernels: 'simd128' });
  const message = expect.stringMatching(/relaxed kernels not used: \w+ computes wrong results/);
  expect(answer.runtime.fallbacks).toContainEqual({ code: 'baseline', message });
  expectRows([answer.vector], baseRows.slice(0, 1));
  const forced = await run(program("{ variant: 'relaxed' }"), { flags, node });
  expect(forced.error).toEqual({ code: 'INTERNAL', reason: 'self_test' });
});

describe('the wasm option', () => {
  let server;
  beforeAll(async () => {
    server = await listen((request, response) => {
      const type = { '/typed': 'application/wasm', '/untyped': 'application/octet-stream' }[request.url];
      if (type) response.writeHead(200, { 'content-type': type }).end(wasm);
      else response.writeHead(404).end();
    });
  });
  afterAll(() => server.close());

  const forms = {
    path: () => wasmFile('baseline').pathname,
    'file: URL': () => wasmFile('baseline'),
    'typed URL': () => `${server.url}typed`,
    'untyped URL': () => new URL(`${server.url}untyped`),
    'typed response': () => fetch(`${server.url}typed`),
    'untyped response': () => fetch(`${server.url}untyped`),
    bytes: () => new Uint8Array(wasm),
    ArrayBuffer: () => new Uint8Array(wasm).buffer,
    module: () => WebAssembly.compile(wasm),
  };
  test.each(Object.keys(forms))('%s', async (form) => {
    for (const worker of [false, true]) {
      const runtime = await runtimeOf({ wasm: await forms[form](), worker });
      expect(runtime).toMatchObject({ variant: 'custom', kernels: 'simd128', worker });
    }
  });

  test.each([
    ['bytes that are none', () => new Uint8Array(64), 'wasm'],
    ['another module', () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), 'wasm'],
    ['a missing file', () => '/nowhere/quintet.wasm', 'not_found'],
    ['a URL without it', () => `${server.url}none`, 'http_status'],
  ])('%s', async (_, make, reason) => {
    for (const worker of [false, true]) {
      const error = await failureOf(() => Embedder.load(pathOf(base), { wasm: make(), worker }));
      expect(error).toMatchObject({ code: 'IO', reason });
    }
  });
});

test('a module that traps is abandoned, and the next load gets a new one', async () => {
  const answer = await run(`
    import { Embedder } from 'quintet';
    const { instantiate } = WebAssembly;
    let memory;
    WebAssembly.instantiate = (module, imports) => {
      ({ memory } = imports.env);
      return instantiate(module, imports);
    };
    const load = () => Embedder.load(${JSON.stringify(pathOf(base))}, { threads: 1 });
    const first = await load();
    // Overwrites everything that the model holds, which no caller can do.
    new Uint8Array(memory.buffer).fill(0xff);
    const errors = [];
    const note = ({ name, code, reason }) => errors.push([name, code, reason]);
    for (let i = 0; i < 2; ++i) await first.embed('the quick brown fox').catch(note);
    const second = await load();
    console.log(JSON.stringify({ errors, length: (await second.embed('a')).length }));`);
  expect(answer.errors).toEqual([
    ['QuintetError', 'INTERNAL', 'trap'],
    ['QuintetError', 'INTERNAL', 'trap'],
  ]);
  expect(answer.length).toBe(32);
});
