// The package on a page: by default in a worker, which leaves the page free.
import { baseRows, bytesOf, caseOf, expectRows, texts } from '../npm/helpers/embedder_fixtures.mjs';
import { runOn, serve } from './browsers.mjs';
import { expectFreePage } from './free_page.mjs';
import { chromium, pagesIn, untilWorkers, webKit } from './pages.mjs';
import { featuresOf, notIsolated, runtimeIn } from './runtimes.mjs';

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'";
const model = '/tests/fixtures/embd/f32.weights';

let server;
beforeAll(async () => {
  server = await serve({ policy });
});
afterAll(() => server?.close());

const expectVectors = (vectors, rows = baseRows.slice(0, texts.length)) => expectRows(vectors.map(Object.values), rows);

describe.each([chromium, webKit])('%s', (name, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);
  const onPage = (job, argument, { entry, on = pages.current } = {}) => runOn(on, job, argument, entry);

  test('a model from a relative URL, in a worker, with the fastest kernels', async () => {
    const { vectors, runtime, capabilities } = await onPage(async ({ Embedder, capabilities }, texts) => {
      const embedder = await Embedder.load('./tests/fixtures/embd/f32.weights');
      const vectors = (await embedder.embed(texts)).map((vector) => [...vector]);
      embedder.close();
      return { vectors, runtime: embedder.info.runtime, capabilities: capabilities() };
    }, texts);
    expectVectors(vectors);
    const usual = runtimeIn(name);
    expect(runtime).toEqual({ ...usual, worker: true, fallbacks: [...usual.fallbacks, notIsolated] });
    expect(capabilities).toMatchObject({ simd: true, ...featuresOf(name), threads: false, worker: true, runtime });
    expect(capabilities.memory.heapBytes).toBe(0);
  });

  test('importing the package fetches nothing but its modules', async () => {
    server.requests.length = 0;
    await onPage(({ capabilities, SearchIndex }) => [capabilities(), new SearchIndex({ dimension: 4 }).size]);
    expect(server.requests.filter((path) => !path.startsWith('/dist/') || !path.endsWith('.js'))).toEqual([]);
    expect(server.requests).not.toContain('/dist/embedder_worker.js');
  });

  test('every kind of source, in a worker and on the page', async () => {
    const results = await onPage(
      async ({ Embedder }, { model, text }) => {
        const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
        const chunks = async function* () {
          for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
        };
        const sources = [
          () => new URL(model, location.href),
          () => new Request(model),
          () => fetch(model),
          () => new Blob([bytes]),
          () => new File([bytes], 'model.weights'),
          () => URL.createObjectURL(new Blob([bytes])),
          () => bytes,
          () => bytes.buffer,
          () => new Blob([bytes]).stream(),
          chunks,
        ];
        const vectors = [];
        for (const worker of [true, false]) {
          for (const source of sources) {
            const embedder = await Embedder.load(await source(), { worker });
            vectors.push([...(await embedder.embed(text))]);
            embedder.close();
          }
        }
        return { vectors, length: bytes.buffer.byteLength };
      },
      { model, text: texts[0] },
    );
    expect(results.length).toBe(bytesOf('f32.weights').length);
    expectVectors(results.vectors, Array(20).fill(baseRows[0]));
  });

  if (name === 'Chromium') {
    test('the page stays free while a worker computes', async () => {
      const begin = async ({ Embedder }, { model, texts }) => {
        const embedder = await Embedder.load(model);
        const many = Array.from({ length: 20_000 }, (_, i) => texts[i % texts.length]);
        return { work: () => embedder.embed(many), close: () => embedder.close() };
      };
      await expectFreePage(pages.current, begin, { model, texts });
    });
  }

  test('progress, truncation, aborts and closing work across the worker', async () => {
    const answer = await onPage(
      async ({ Embedder }, { model, texts }) => {
        const stages = new Set();
        const embedder = await Embedder.load(model, { onProgress: ({ stage }) => stages.add(stage) });
        const cut = [];
        await embedder.embed(texts, { onTruncate: (i) => cut.push(i), maxLength: 5 });
        const controller = new AbortController();
        const many = Array.from({ length: 50_000 }, () => texts[0]);
        const codes = [];
        const note = (error) => codes.push(`${error.name} ${error.code}`);
        await embedder.embed(many, { signal: controller.signal, onProgress: () => controller.abort() }).catch(note);
        const length = (await embedder.embed('a')).length;
        const pending = embedder.embed(many).catch(note);
        embedder.close();
        await pending;
        await Embedder.load('/slow.weights', { signal: AbortSignal.timeout(100) }).catch(note);
        await Embedder.load('/app').catch((error) => codes.push(error.reason));
        await Embedder.load('/none').catch((error) => codes.push(error.reason));
        return { stages: [...stages], cut: cut.length, codes, length };
      },
      { model, texts },
    );
    expect(answer.stages).toEqual(['compile', 'download', 'prepare']);
    expect(answer.cut).toBeGreaterThan(3);
    expect(answer.codes).toEqual([
      ...['AbortError ABORTED', 'QuintetError CLOSED', 'AbortError ABORTED'],
      ...['html_instead_of_model', 'http_status'],
    ]);
    expect(answer.length).toBe(32);
  });

  test('a worker ends with its embedder', async () => {
    await onPage(async ({ Embedder }, model) => {
      globalThis.embedders = await Promise.all([Embedder.load(model), Embedder.load(model)]);
    }, model);
    expect(pages.current.workers()).toHaveLength(2);
    await pages.current.evaluate(() => globalThis.embedders[0].close());
    await untilWorkers(pages.current, 1);
    expect(await pages.current.evaluate(async () => (await globalThis.embedders[1].embed('a')).length)).toBe(32);
  });

  test('where workers are forbidden it runs on the page, and reports it', async () => {
    const strict = await pages.open(`${server.url}csp.html`);
    const { vectors, runtime } = await onPage(
      async ({ Embedder }, { model, texts }) => {
        const embedder = await Embedder.load(model);
        const vectors = (await embedder.embed(texts)).map((vector) => [...vector]);
        return { vectors, runtime: embedder.info.runtime };
      },
      { model, texts },
      { on: strict },
    );
    expectVectors(vectors);
    expect(runtime.worker).toBe(false);
    expect(runtime.fallbacks.map(({ code }) => code)).toContain('no_worker');
    await strict.close();
  });

  test('a server without a type for WebAssembly', async () => {
    const job = async ({ Embedder }, model) => (await (await Embedder.load(model)).embed('a')).length;
    expect(await onPage(job, model, { entry: '/untyped/index.js' })).toBe(32);
  });

  test('files are inspected, read and converted in their own worker', async () => {
    server.requests.length = 0;
    const { info, values, converted } = await onPage(async ({ inspect, readTensor, convert }, model) => {
      const info = await inspect(model);
      const { data } = await readTensor(model, 'embeddings.LayerNorm.weight');
      const converted = await new Response(convert(model, { to: 'weights', quantize: 'int8-row' })).arrayBuffer();
      return { info, values: [...data], converted: converted.byteLength };
    }, model);
    expect(info).toMatchObject({ format: 'weights', kind: 'EMBD' });
    const { offset, shape } = caseOf('embd-f32').expect.inspect.tensors.find(
      ({ name }) => name === 'embeddings.LayerNorm.weight',
    );
    expect(values).toEqual([...new Float32Array(bytesOf('f32.weights').buffer.slice(offset, offset + 4 * shape[0]))]);
    expect(converted).toBeLessThan(info.fileSize / 2);
    const modules = server.requests.filter((path) => path.endsWith('.wasm'));
    expect(modules).toEqual(['/dist/quintet-files.wasm']);
    expect(server.requests.filter((path) => path.endsWith('worker.js'))).toEqual(['/dist/files_worker.js']);
  });
});
