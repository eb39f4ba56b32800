// Faults between a page and its server, and in the page itself: the error names the cause, and the next try works.
import { readdirSync, readFileSync } from 'node:fs';
import { runOn } from './browsers.mjs';
import { faults, serveFaults } from './fault_server.mjs';
import { chromium, firefox, pagesIn, untilWorkers, webKitWithSharedMemory } from './pages.mjs';
import { featuresOf, runtimeIn } from './runtimes.mjs';

const dist = new URL('../../dist/', import.meta.url);
const model = '/tests/fixtures/embd/f32.weights';
const modules = readdirSync(dist)
  .filter((name) => name.endsWith('.wasm'))
  .map((name) => `/dist/${name}`);
const decoder = readFileSync(new URL('quintet-generator-baseline.wasm', dist));

/** The script that has an export. */
const scriptWith = (exported) =>
  `/dist/${readdirSync(dist).find((name) => /^browser-/.test(name) && new RegExp(`\\bas ${exported}\\b`).test(readFileSync(new URL(name, dist), 'utf8')))}`;

let server;
beforeAll(async () => {
  server = await serveFaults();
});
afterAll(() => server.close());
afterEach(() => server.faults.clear());

/** Loads a model and embeds a text; gives how it ran, or what it failed with. */
const attempt = async ({ Embedder }, { model, options }) => {
  try {
    const embedder = await Embedder.load(model, options);
    const { length } = await embedder.embed('a');
    embedder.close();
    return { length, ...embedder.info.runtime };
  } catch ({ name, code, reason, message }) {
    return { name, code, reason, message };
  }
};

// The package's own errors are the same in all browsers and tested in one; these differ between browsers.
const differing = { module: ['is a web page', 'is cut off', 'is of another version'], model: ['is cut off'] };

describe.each([chromium, firefox, webKitWithSharedMemory])('%s', (name, start) => {
  const pages = pagesIn(start, () => `${server.url}page.html`);
  const concerned =
    (file) =>
    ([what]) =>
      name === 'Chromium' || differing[file].includes(what);
  const { variant, fallbacks } = runtimeIn(name);

  const load = (options = {}, source = model, on = pages.current) => runOn(on, attempt, { model: source, options });
  const expectFailure = (failure, code, reason, message) => {
    expect(failure).toMatchObject({ name: 'QuintetError', code, reason });
    expect(failure.message).toMatch(message);
  };
  const spoil = (paths, fault) => paths.forEach((path) => server.faults.set(path, fault));

  test.each(
    [
      ['is missing', faults.status(404), 'http_status', /quintet-embedder-baseline\.wasm: HTTP status 404/],
      ['is a web page', faults.page, 'wasm', /a web page instead of WebAssembly: http:.*\.wasm$/],
      [
        'is a web page by the name of WebAssembly',
        faults.mistypedPage,
        'wasm',
        /a web page instead of WebAssembly: http:.*\.wasm$/,
      ],
      ['is empty', faults.empty, 'wasm', /an empty file instead of WebAssembly/],
      ['is compressed twice', faults.compressedTwice, 'wasm', /compressed twice/],
      ['is cut off', faults.cut, 'wasm', /download failed .*\.wasm$/],
      ['is of another version', faults.other(decoder), 'wasm', /another version of the package, perhaps an old copy/],
      ['goes round in a circle', faults.redirectLoop, 'network', /cannot fetch .*\.wasm/],
    ].filter(concerned('module')),
  )('the WebAssembly file %s', async (_, fault, reason, message) => {
    spoil(modules, fault);
    for (const worker of [true, false]) expectFailure(await load({ worker }), 'IO', reason, message);
    server.faults.clear();
    for (const worker of [true, false]) expect(await load({ worker })).toMatchObject({ length: 32, variant, worker });
  });

  test('WebAssembly with another type', async () => {
    for (const type of ['application/octet-stream', 'text/plain', 'text/html']) {
      spoil(modules, faults.typed(type));
      expect(await load()).toMatchObject({ length: 32, variant });
    }
  });

  if (featuresOf(name).relaxedSimd) {
    test('if the fast module cannot be loaded, the other one runs, and reports why', async () => {
      spoil(
        modules.filter((path) => path.includes('relaxed')),
        faults.page,
      );
      const { length, variant, fallbacks } = await load();
      expect({ length, variant }).toEqual({ length: 32, variant: 'baseline' });
      expect(fallbacks).toContainEqual({
        code: 'baseline',
        message: expect.stringMatching(/ a web page instead of WebAssembly: .*relaxed\.wasm/),
      });
    });
  }

  test.each(
    [
      ['is missing', faults.status(404), 'IO', 'http_status', /f32\.weights: HTTP status 404/],
      ['meets an error of the server', faults.status(500), 'IO', 'http_status', /f32\.weights: HTTP status 500/],
      ['is a web page', faults.page, 'IO', 'html_instead_of_model', /a web page instead of a model/],
      [
        'is a web page by another name',
        faults.mistypedPage,
        'IO',
        'html_instead_of_model',
        /a web page instead of a model/,
      ],
      ['is empty', faults.empty, 'FORMAT', 'bad_magic', /it is empty/],
      [
        'is compressed twice',
        faults.compressedTwice,
        'FORMAT',
        'bad_magic',
        /gzip data, not decompressed or compressed twice/,
      ],
      ['is cut off', faults.cut, 'IO', 'read_failed', /cannot read the source/],
      ['never comes', faults.reset, 'IO', 'network', /cannot fetch .*f32\.weights/],
      ['goes round in a circle', faults.redirectLoop, 'IO', 'network', /cannot fetch .*f32\.weights/],
    ].filter(concerned('model')),
  )('a model that %s', async (_, fault, code, reason, message) => {
    spoil([model], fault);
    for (const worker of [true, false]) expectFailure(await load({ worker }), code, reason, message);
    server.faults.clear();
    for (const worker of [true, false]) expect(await load({ worker })).toMatchObject({ length: 32, worker });
  });

  test('a model from another origin that does not share it', async () => {
    expectFailure(
      await load({}, server.elsewhere + model.slice(1)),
      'IO',
      'network',
      /cannot fetch http:\/\/localhost/,
    );
  });

  test.each([
    ['is missing', faults.status(404)],
    ['is a web page', faults.page],
    ['is cut off', faults.cut],
  ])("if the worker's script %s the page computes, and info says so", async (_, fault) => {
    spoil(['/dist/embedder_worker.js'], fault);
    const loaded = await load();
    expect(loaded).toMatchObject({ length: 32, worker: false });
    expect(loaded.fallbacks).toContainEqual({ code: 'no_worker', message: 'no worker: its script cannot be loaded' });
    server.faults.clear();
    expect(await load()).toMatchObject({ length: 32, worker: true });
  });

  // The engine waits ten seconds, everywhere.
  if (name === 'Chromium') {
    test('if the script for threads never arrives there is one thread, and info reports it', async () => {
      const isolated = await pages.open(`${server.url}isolated.html`);
      spoil(['/dist/compute_thread.js'], faults.stall);
      const { length, threads, fallbacks } = await load({}, model, isolated);
      expect({ length, threads }).toEqual({ length: 32, threads: 1 });
      expect(fallbacks).toEqual([
        { code: 'one_thread', message: 'one thread: a compute thread failed to start: no response' },
      ]);
      await isolated.close();
    });
  }

  test.each([
    ['is missing', faults.status(404)],
    ['is a web page', faults.page],
    ['has another type', faults.typed('text/html')],
  ])('if the script for threads %s there is one thread, and info says so', async (what, fault) => {
    const isolated = await pages.open(`${server.url}isolated.html`);
    spoil(['/dist/compute_thread.js'], fault);
    if (name === 'WebKit' && what === 'has another type') {
      // WebKit runs worker scripts of any type.
      expect(await load({ threads: 3 }, model, isolated)).toMatchObject({ length: 32, threads: 3, fallbacks });
      return isolated.close();
    }
    expect(await load({}, model, isolated)).toMatchObject({
      length: 32,
      threads: 1,
      fallbacks: [
        ...fallbacks,
        { code: 'one_thread', message: 'one thread: a compute thread failed to start: its script cannot be loaded' },
      ],
    });
    expectFailure(
      await load({ threads: 3 }, model, isolated),
      'IO',
      'wasm',
      /a compute thread failed to start: its script cannot be loaded/,
    );
    server.faults.clear();
    expect(await load({ threads: 3 }, model, isolated)).toMatchObject({ length: 32, threads: 3, fallbacks });
    return isolated.close();
  });

  // Firefox hung within a few such loads when helpers were workers of a worker (npm/src/worker/loading.ts).
  test.each([8, 'auto'])(
    'models with threads one after the other on a page, as with one; none is left (threads: %s)',
    async (threads) => {
      const isolated = await pages.open(`${server.url}isolated.html`);
      const embedOften = async ({ Embedder }, { model, threads, times }) => {
        const answers = [];
        for (let i = 0; i < times; ++i) {
          const embedder = await Embedder.load(model, { threads });
          answers.push({
            vector: [...(await embedder.embed('one two three'))],
            threads: embedder.info.runtime.threads,
          });
          embedder.close();
        }
        return answers;
      };
      const embed = (threads, times) => runOn(isolated, embedOften, { model, threads, times });
      const [alone] = await embed(1, 1);
      const count =
        threads === 'auto' ? Math.min(await isolated.evaluate('navigator.hardwareConcurrency'), 16) : threads;
      expect(await embed(threads, 4)).toEqual(Array(4).fill({ ...alone, threads: count }));
      await untilWorkers(isolated, 0);
      expect(await load({ threads }, model, isolated)).toMatchObject({ length: 32, threads: count, fallbacks });
      await isolated.close();
    },
  );

  // Firefox remembers for ever that a script did not come.
  test.each([
    ['is missing', faults.status(404)],
    ['is a web page', faults.page],
    ['is cut off', faults.cut],
  ])('a part of the package that %s', async (_, fault) => {
    spoil([scriptWith('loadEmbedder')], fault);
    // WebKit's own messages do not name the script.
    const message =
      name === 'WebKit'
        ? /cannot load a part of the package, reload the page: .*(module script|text\/html)/
        : /cannot load a part of the package.*browser-/;
    for (let i = 0; i < 2; ++i) expectFailure(await load(), 'IO', 'network', message);
    server.faults.clear();
    for (let i = 0; i < 2; ++i) expect(await load()).toMatchObject({ length: 32, worker: true });
  });

  test('another script in place of a part of the package', async () => {
    spoil([scriptWith('loadEmbedder')], faults.other(Buffer.from('export const shop = 1;')));
    expectFailure(await load(), 'IO', 'network', /reload the page: its script has no loadEmbedder/);
  });

  test('without a server, and when it is back', async () => {
    const { port } = new URL(server.url);
    expect(await load({ worker: false })).toMatchObject({ length: 32 });
    await server.close();
    for (const worker of [true, false]) expectFailure(await load({ worker }), 'IO', 'network', /cannot fetch/);
    await server.restart(port);
    for (const worker of [true, false]) expect(await load({ worker })).toMatchObject({ length: 32 });
  });

  test('a policy that forbids WebAssembly', async () => {
    const strict = await pages.open(`${server.url}page.html?policy=${encodeURIComponent("default-src 'self'")}`);
    expectFailure(
      await load({ worker: false }, model, strict),
      'IO',
      'wasm',
      /unsafe-eval|CSP|Content Security Policy/,
    );
    await strict.close();
  });

  test.each([true, false])('a worker that is ended from outside, in the middle of a call: %s', async (inCall) => {
    const answers = await runOn(
      pages.current,
      async ({ Embedder }, { model, inCall }) => {
        const workers = [];
        globalThis.Worker = class extends Worker {
          constructor(...args) {
            super(...args);
            workers.push(this);
          }
        };
        const answers = [];
        const note = ({ length, code, reason }) => answers.push(length ?? `${code} ${reason}`);
        const embedder = await Embedder.load(model);
        const begun = new Promise((resolve) => {
          const calls = inCall ? [Array(5000).fill('one two three four'), 'five'] : [];
          globalThis.calls = calls.map((texts) => embedder.embed(texts, { onProgress: resolve }).then(note, note));
          if (!inCall) resolve();
        });
        await begun;
        workers.forEach((worker) => worker.terminate());
        await Promise.all(globalThis.calls);
        await embedder.embed('a').then(note, note);
        const next = await Embedder.load(model);
        await next.embed('a').then(note);
        [embedder, next].forEach((loaded) => loaded.close());
        await embedder.embed('a').then(note, note);
        return answers;
      },
      { model, inCall },
    );
    const dead = 'INTERNAL worker';
    expect(answers).toEqual([...(inCall ? [dead, dead] : []), dead, 32, 'CLOSED closed']);
  });

  test.each([true, false])('an abort at every stage of a load (worker: %s)', async (worker) => {
    const codes = await runOn(
      pages.current,
      async ({ Embedder }, { model, worker }) => {
        const codes = [];
        for (const stage of ['compile', 'download', 'prepare']) {
          const controller = new AbortController();
          const onProgress = (progress) => progress.stage === stage && controller.abort();
          await Embedder.load(model, { worker, onProgress, signal: controller.signal }).then(
            (late) => late.close(),
            ({ code }) => codes.push(`${stage} ${code}`),
          );
        }
        return codes;
      },
      { model, worker },
    );
    // In a worker, word of the last stage may come when all is done.
    expect(codes.slice(0, 2)).toEqual(['compile ABORTED', 'download ABORTED']);
    if (!worker) expect(codes[2]).toBe('prepare ABORTED');
    expect(await load({ worker })).toMatchObject({ length: 32, worker });
  });

  test('a page that was left in the middle of a load loads on return', async () => {
    server.faults.set(model, faults.stall);
    await runOn(pages.current, ({ Embedder }, model) => void Embedder.load(model).catch(() => {}), model);
    server.faults.clear();
    await pages.current.reload();
    expect(await load()).toMatchObject({ length: 32, worker: true });
  });

  test('closing a tab in the middle of indexing does not affect another tab', async () => {
    const other = await pages.open();
    const index = async ({ Embedder }, model) => {
      const embedder = await Embedder.load(model);
      await new Promise((onProgress) => {
        void embedder.embed(Array(50_000).fill('one two three'), { onProgress }).catch(() => {});
      });
    };
    await runOn(other, index, model);
    const both = load();
    await other.close();
    expect(await both).toMatchObject({ length: 32, worker: true });
    expect(await load()).toMatchObject({ length: 32, worker: true });
  });

  test('two models on a page and one in another tab, while a load fails', async () => {
    const other = await pages.open();
    const job = async ({ Embedder }, model) => {
      const failing = Embedder.load('/none').catch(({ reason }) => reason);
      const embedders = await Promise.all([Embedder.load(model), Embedder.load(model, { worker: false })]);
      const vectors = await Promise.all(embedders.map((embedder) => embedder.embed(['a', 'b'])));
      embedders.forEach((embedder) => embedder.close());
      return [await failing, ...vectors.flat().map(({ length }) => length)];
    };
    const answers = await Promise.all([pages.current, other].map((tab) => runOn(tab, job, model)));
    expect(answers).toEqual(Array(2).fill(['http_status', 32, 32, 32, 32]));
    await other.close();
  });
});
