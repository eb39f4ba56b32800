// Models in the browser's cache: kept while they are loaded, loaded without the network, continued where a load broke
// off.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Embedder } from 'quintet';
import { base, bytesOf } from '../npm/helpers/embedder_fixtures.mjs';
import { distance } from '../npm/helpers/expectations.mjs';
import { answer } from '../npm/helpers/servers/file_server.mjs';
import { runOn, serve } from './browsers.mjs';
import { allBrowsers, pagesIn, testOnceIn } from './pages.mjs';
import { runtimeIn } from './runtimes.mjs';

const guide = readFileSync(new URL('../../docs/caching.md', import.meta.url), 'utf8');
const [loading, keeping] = [...guide.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
const models = new URL('../../models/', import.meta.url);
const embedder = readFileSync(new URL('embedder-int8.weights', models));
const files = {
  '/embedder': embedder,
  '/small': bytesOf(base),
  '/storyteller': readFileSync(new URL('stories260k.amb', models)),
  '/classifier': readFileSync(new URL('../tests/fixtures/cifar10/resnet20-cifar10.bin', models)),
};
const pieceBytes = 4 << 20;
const sha256 = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/** The server's next faults (file_server.mjs), and the requests that it got. */
const plans = [];
const asked = [];
const answers = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [
    path,
    (request, response) => {
      asked.push([path, request.headers.range]);
      answer(request, response, { file, ...plans.shift() });
    },
  ]),
);

let server;
let expected;
beforeAll(async () => {
  server = await serve({ answers });
  const model = await Embedder.load(embedder);
  expected = await model.embed('a cat');
  model.close();
});
afterAll(() => server?.close());

/**
 * Opens every cache. Runs on the page. WebKitWebDriver uses a private session, in which WebKit keeps a cache in memory,
 * and only as long as a page or worker has it open.
 */
const holdCaches = async () => {
  globalThis.held = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
};

/** Loads a model and gives what it computes, and how. */
const use = async (quintet, { kind = 'Embedder', source, options = {}, made = 'url' }, hold) => {
  const loaded = [];
  const onProgress = ({ stage, loaded: bytes }) => stage === 'download' && loaded.push(bytes);
  const given = { url: () => source, request: () => new Request(source), response: () => fetch(source) }[made];
  try {
    const model = await quintet[kind].load(await given(), { threads: 1, ...options, onProgress });
    await hold();
    const output = {
      Embedder: () => model.embed('a cat'),
      TextGenerator: async () => [...(await model.logits([1, 2, 3]))],
      ImageClassifier: () => model.logits(new Float32Array(3 * 32 * 32).fill(0.5), [3, 32, 32]),
    }[kind];
    const values = Object.values(await output());
    model.close();
    const { runtime, fileSize } = model.info;
    const { fallbacks, worker } = runtime;
    return { values, fallbacks, worker, fileSize, loaded, list: await quintet.modelCache.list() };
  } catch ({ code, reason, message }) {
    return { code, reason, message, list: await quintet.modelCache.list() };
  }
};

describe.each(allBrowsers)('%s', (name, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);
  beforeEach(async () => {
    await runOn(pages.current, ({ modelCache }) => modelCache.clear());
    plans.length = 0;
    asked.length = 0;
  });

  const testOnce = testOnceIn(name);
  const { fallbacks } = runtimeIn(name);
  const useOn = (on, argument) =>
    runOn(on, `(quintet, argument) => (${use})(quintet, argument, ${holdCaches})`, argument);
  const expectVector = ({ values }) => expect(distance(values, expected)).toBeLessThanOrEqual(1e-5);

  const kinds = { Embedder: '/small', TextGenerator: '/storyteller', ImageClassifier: '/classifier' };
  const loads = Object.entries(kinds).flatMap(([kind, source]) =>
    [true, false].map((worker) => [kind, source, worker]),
  );
  test.each(name === 'Chromium' ? loads : loads.slice(0, 2))(
    '%s from %s, worker: %s: the second load asks for nothing',
    async (kind, source, worker) => {
      const direct = await useOn(pages.current, { kind, source, options: { worker } });
      expect(direct.list).toEqual([]);
      const options = { worker, cache: true };
      const first = await useOn(pages.current, { kind, source, options });
      const kept = { name: server.url.slice(0, -1) + source, bytes: files[source].length };
      expect(first).toMatchObject({ values: direct.values, fallbacks, worker, list: [kept] });
      asked.length = 0;
      const reopened = await pages.open();
      const second = await useOn(reopened, { kind, source: `${source}#again`, options });
      await reopened.close();
      expect(second).toMatchObject({ values: direct.values, fallbacks, worker, list: [kept] });
      expect(second.loaded.at(-1)).toBe(kept.bytes);
      expect(asked).toEqual([]);
    },
  );

  testOnce('under a name, from any source; only the name counts', async () => {
    const options = { cache: 'mine' };
    for (const [made, worker] of [
      ['response', true],
      ['request', true],
      ['request', false],
      ['response', false],
    ]) {
      await runOn(pages.current, ({ modelCache }) => modelCache.clear());
      const first = await useOn(pages.current, { source: '/embedder', made, options: { ...options, worker } });
      expectVector(first);
      expect(first.list).toEqual([{ name: 'mine', bytes: embedder.length }]);
      asked.length = 0;
      expectVector(await useOn(pages.current, { source: '/none', options: { ...options, worker } }));
      expect(asked).toEqual([]);
    }
  });

  test('modelCache lists, counts and deletes', async () => {
    const result = await runOn(pages.current, async ({ Embedder, modelCache }) => {
      const held = [];
      for (const cache of ['b', 'a']) {
        (await Embedder.load('/small', { cache })).close();
        held.push(await caches.open(`quintet ${cache}`));
      }
      const before = [await modelCache.list(), await modelCache.size()];
      const deleted = [await modelCache.delete('b'), await modelCache.delete('b'), await modelCache.delete('c')];
      const wrong = await modelCache.delete(7).catch(({ code }) => code);
      const after = [await modelCache.list(), await modelCache.size()];
      await modelCache.clear();
      const cleared = [await modelCache.list(), await modelCache.size(), await caches.keys()];
      return { before, deleted, wrong, after, cleared, held: held.length };
    });
    const bytes = files['/small'].length;
    expect(result).toEqual({
      before: [
        [
          { name: 'a', bytes },
          { name: 'b', bytes },
        ],
        2 * bytes,
      ],
      deleted: [true, false, false],
      wrong: 'INPUT',
      after: [[{ name: 'a', bytes }], bytes],
      cleared: [[], 0, []],
      held: 2,
    });
  });

  testOnce('a source without a lasting URL needs a name', async () => {
    const codes = await runOn(pages.current, async ({ Embedder }) => {
      const bytes = new Uint8Array(await (await fetch('/small')).arrayBuffer());
      const sources = [bytes, new Blob([bytes]), new Response(bytes), URL.createObjectURL(new Blob([bytes]))];
      return Promise.all(sources.map((source) => Embedder.load(source, { cache: true }).catch(({ code }) => code)));
    });
    expect(codes).toEqual(Array(4).fill('INPUT'));
  });

  /** A page that is closed when a piece of its model is stored and the rest does not come. */
  async function leaveInTheMidst(options) {
    plans.push({ hang: pieceBytes + 500_000 });
    const left = await pages.open();
    const loading = useOn(left, { source: '/embedder', options }).catch(() => {});
    await left.waitForFunction(async () => {
      const [first] = await caches.keys();
      return first !== undefined && (await (await caches.open(first)).keys()).length === 2;
    });
    expect(await runOn(left, ({ modelCache }) => modelCache.list())).toEqual([]);
    await pages.current.evaluate(holdCaches);
    await left.close();
    await loading;
    asked.length = 0;
  }

  test.each([true, false])(
    'a page closed in the middle of a load, worker: %s: the next one continues',
    async (worker) => {
      const options = { cache: true, worker };
      await leaveInTheMidst(options);
      const next = await useOn(pages.current, { source: '/embedder', options });
      expectVector(next);
      expect(next).toMatchObject({ fallbacks, fileSize: embedder.length });
      expect(next.list).toEqual([{ name: `${server.url}embedder`, bytes: embedder.length }]);
      expect(asked).toEqual([['/embedder', `bytes=${pieceBytes}-`]]);
      asked.length = 0;
      expectVector(await useOn(pages.current, { source: '/embedder', options }));
      expect(asked).toEqual([]);
    },
  );

  testOnce('remains of another file are not used', async () => {
    const options = { cache: true };
    await leaveInTheMidst(options);
    plans.push({ headers: { etag: '"second"' } });
    const next = await useOn(pages.current, { source: '/embedder', options });
    expectVector(next);
    expect(next.list).toHaveLength(1);
    await runOn(pages.current, ({ modelCache }) => modelCache.clear());
    await leaveInTheMidst(options);
    plans.push({ status: 500 }, { status: 500 });
    const failed = await useOn(pages.current, { source: '/embedder', options });
    expect(failed).toMatchObject({ code: 'IO', reason: 'http_status', list: [] });
    plans.push({ ranges: false });
    expectVector(await useOn(pages.current, { source: '/embedder', options }));
  });

  testOnce('a part is deleted as well', async () => {
    await leaveInTheMidst({ cache: 'part' });
    const deleted = await runOn(pages.current, async ({ modelCache }) => [
      await modelCache.delete('part'),
      await caches.keys(),
    ]);
    expect(deleted).toEqual([true, []]);
  });

  testOnce.each([true, false])('broken parts of the cache are fetched again, worker: %s', async (worker) => {
    const options = { cache: 'mine', worker };
    const source = '/small';
    const { values } = await useOn(pages.current, { source, options });
    const spoil = (job) => pages.current.evaluate(`caches.open('quintet mine').then(${job})`);
    const spoilt = files['/small'].slice();
    spoilt.fill(0, 0, 100);
    for (const job of [
      (cache) => cache.delete('https://quintet.invalid/last'),
      (cache) => cache.put('https://quintet.invalid/last', new Response('short')),
      `(cache) => cache.put('https://quintet.invalid/last', new Response(new Uint8Array(${spoilt.length})))`,
    ]) {
      await spoil(job);
      asked.length = 0;
      const again = await useOn(pages.current, { source, options });
      expect(again).toMatchObject({ values, fallbacks, list: [{ name: 'mine', bytes: spoilt.length }] });
      expect(again.loaded).toEqual([...again.loaded].sort((a, b) => a - b));
      expect(asked).toEqual([['/small', undefined]]);
    }
    // It is kept if nothing else can be loaded: another option may be wrong.
    await spoil(`(cache) => cache.put('https://quintet.invalid/last', new Response(new Uint8Array(${spoilt.length})))`);
    plans.push({ status: 500 });
    expect(await useOn(pages.current, { source, options })).toMatchObject({ code: 'FORMAT', list: [{ name: 'mine' }] });
  });

  testOnce('integrity: other bytes are not kept, and not taken from the cache', async () => {
    const source = '/small';
    const right = sha256(files[source]);
    const wrong = sha256(files['/storyteller']);
    const options = { cache: 'mine' };
    const refused = await useOn(pages.current, { source, options: { ...options, integrity: wrong } });
    expect(refused).toMatchObject({ code: 'IO', reason: 'integrity', list: [] });
    await useOn(pages.current, { source: '/embedder', options });
    asked.length = 0;
    // The cached file was not checked, or against another digest.
    for (const path of ['/small', '/embedder', '/small']) {
      const checked = { ...options, integrity: sha256(files[path]) };
      const { values, list } = await useOn(pages.current, { source: path, options: checked });
      expect(values.length).toBeGreaterThan(0);
      expect(list).toEqual([{ name: 'mine', bytes: files[path].length }]);
    }
    expect(asked.map(([path]) => path)).toEqual(['/small', '/embedder', '/small']);
    const offline = { source: '/none', options: { ...options, integrity: right } };
    expect((await useOn(pages.current, offline)).values.length).toBeGreaterThan(0);
    // Bytes that changed where they lie are those of no file.
    await pages.current.evaluate(async () => {
      const url = 'https://quintet.invalid/last';
      const cache = await caches.open('quintet mine');
      const bytes = new Uint8Array(await (await cache.match(url)).arrayBuffer());
      bytes[bytes.length - 9] ^= 1;
      await cache.put(url, new Response(bytes));
    });
    expect(await useOn(pages.current, offline)).toMatchObject({ code: 'FORMAT', reason: 'checksum' });
    expect((await useOn(pages.current, { ...offline, source })).values.length).toBeGreaterThan(0);
    expect((await useOn(pages.current, offline)).values.length).toBeGreaterThan(0);
  });

  test('two pages that load the same model at once', async () => {
    const other = await pages.open();
    const options = { cache: true, variant: 'baseline' };
    const both = await Promise.all([pages.current, other].map((on) => useOn(on, { source: '/embedder', options })));
    both.forEach(expectVector);
    const fallbacks = both.flatMap(({ fallbacks: said }) => said);
    for (const said of fallbacks)
      expect(said).toEqual({ code: 'not_kept', message: 'not kept in the cache: another load is storing the file' });
    expect(fallbacks.length).toBeLessThan(2);
    expect(await runOn(other, ({ modelCache }) => modelCache.list())).toHaveLength(1);
    asked.length = 0;
    const again = await Promise.all([pages.current, other].map((on) => useOn(on, { source: '/embedder', options })));
    again.forEach(expectVector);
    expect(asked).toEqual([]);
    await other.close();
  });

  testOnce('where storage fails the model is loaded anyway, and info reports it', async () => {
    const result = await runOn(pages.current, async ({ Embedder, modelCache }) => {
      const load = async (worker = false) => {
        const model = await Embedder.load('/small', { cache: true, worker, threads: 1, variant: 'baseline' });
        model.close();
        return model.info.runtime.fallbacks;
      };
      // Like windows that keep nothing.
      const refuse = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'));
      CacheStorage.prototype.has = CacheStorage.prototype.keys = refuse;
      const refused = [await load(), await modelCache.list(), await modelCache.size(), await modelCache.delete('x')];
      Object.defineProperty(globalThis, 'caches', { value: undefined });
      await modelCache.clear();
      return [...refused, await load(), await modelCache.list()];
    });
    expect(result).toEqual([
      [{ code: 'not_kept', message: 'not kept in the cache: The operation is insecure.' }],
      [],
      0,
      false,
      [
        {
          code: 'not_kept',
          message: 'not kept in the cache: storage is only available to pages from https: and localhost',
        },
      ],
      [],
    ]);
  });

  testOnce('the example of the guide downloads its model once', async () => {
    const program = loading
      .replace(/^import (.*) from 'quintet';$/m, "const $1 = await import('/dist/index.js');")
      .replace(/(?<=const url = ').*(?=';)/, `${server.url}storyteller`)
      .replace('console.log(', 'return (');
    const run = () => pages.current.evaluate(`(async () => { ${program} })()`);
    const kept = [{ name: `${server.url}storyteller`, bytes: files['/storyteller'].length }];
    expect(await run()).toEqual(kept);
    await pages.current.evaluate(holdCaches);
    expect(await run()).toEqual(kept);
    expect(asked).toEqual([['/storyteller', undefined]]);
  });

  if (name === 'WebKit') {
    test('a file that a private session has dropped is downloaded again', async () => {
      const argument = { source: '/small', options: { cache: true } };
      const kept = { name: `${server.url}small`, bytes: files['/small'].length };
      const left = await pages.open();
      const { values } = await useOn(left, argument);
      await left.close();
      expect(await runOn(pages.current, ({ modelCache }) => modelCache.list())).toEqual([]);
      expect(await pages.current.evaluate(() => caches.keys())).toHaveLength(1);
      expect(await useOn(pages.current, argument)).toMatchObject({ values, fallbacks, list: [kept] });
      expect(asked).toEqual([
        ['/small', undefined],
        ['/small', undefined],
      ]);
    });
  }

  if (name === 'Chromium') {
    test('the example of the guide asks for models to be kept', async () => {
      const [persistent, usage, quota] = await pages.current.evaluate(
        `(async () => { ${keeping} return [persistent, usage, quota]; })()`,
      );
      expect(typeof persistent).toBe('boolean');
      expect(usage).toBeGreaterThanOrEqual(0);
      expect(quota).toBeGreaterThan(usage);
    });

    describe('a quota', () => {
      let session;
      const limit = (quota) =>
        session.send('Storage.overrideQuotaForOrigin', { origin: server.url.slice(0, -1), ...quota });
      beforeEach(async () => {
        session = await pages.current.createCDPSession();
      });
      afterEach(() => limit({}));

      test.each([
        ['from the start', 1, true],
        ['on the way', 6_000_000, true],
        ['on the way', 6_000_000, false],
      ])('that is too small %s (%d bytes), worker: %s', async (_, bytes, worker) => {
        await limit({ quotaSize: bytes });
        const result = await useOn(pages.current, { source: '/embedder', options: { cache: true, worker } });
        expectVector(result);
        expect(result.fallbacks).toEqual([{ code: 'not_kept', message: expect.stringMatching(/quota/i) }]);
        expect(result.list).toEqual([]);
        expect(await pages.current.evaluate(() => caches.keys())).toEqual([]);
      });
    });
  }
});
