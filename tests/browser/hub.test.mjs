// Models of the Hub by name in browsers: from a server on other origins, and kept in the browser's cache.

import { distance } from '../npm/helpers/expectations.mjs';
import { folderCase, llamaFolder, shards } from '../npm/helpers/models/llama_folder.mjs';
import { serveHub } from '../npm/helpers/servers/hub_server.mjs';
import { runOn, serve } from './browsers.mjs';
import { allBrowsers, pagesIn, testOnceIn } from './pages.mjs';

const { ids, rows, tolerance } = folderCase;
const id = 'zoo/decoder';
const name = `hf:${id}@main`;
let hub;
let server;
let files;

beforeAll(async () => {
  hub = await serveHub();
  files = await llamaFolder();
  server = await serve({
    policy: "default-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
  });
});
afterAll(async () => {
  await server?.close();
  await hub.close();
});

/** Loads a model and gives what it computes, and how; or the error. Runs on the page. */
const use = async ({ TextGenerator, modelCache }, { source, options, tokens }) => {
  try {
    const model = await TextGenerator.load(source, { threads: 1, ...options });
    // WebKit's private sessions keep a cache only as long as something has it open (cache.test.mjs).
    globalThis.held = await Promise.all((await caches.keys()).map((each) => caches.open(each)));
    const logits = [...(await model.logits(tokens))];
    model.close();
    return { logits, fallbacks: model.info.runtime.fallbacks, list: await modelCache.list() };
  } catch ({ code, reason, message }) {
    return { code, reason, message, list: await modelCache.list() };
  }
};

describe.each(allBrowsers)('%s', (browser, launchBrowser) => {
  const testOnce = testOnceIn(browser);
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);
  let commit;
  beforeEach(async () => {
    await runOn(pages.current, ({ modelCache }) => modelCache.clear());
    commit = hub.add(id, files);
    hub.forget();
  });

  const load = (options = {}, source = `hf:${id}`, page = pages.current) => {
    const given = { ...options, hub: { endpoint: hub.endpoint, ...options.hub } };
    return runOn(page, use, { source, options: given, tokens: ids });
  };
  const expectModel = ({ logits, fallbacks, message }) => {
    expect(message).toBeUndefined();
    expect(distance(logits, rows.at(-1))).toBeLessThanOrEqual(tolerance);
    return fallbacks.filter(({ code }) => code === 'kept_copy' || code === 'not_kept').map(({ message }) => message);
  };
  const asked = () => hub.requests.map(({ path }) => path).filter((path) => path !== '/favicon.ico');
  const needed = ['config.json', 'model.safetensors.index.json', ...shards];

  test.each([true, false])(
    'worker: %s: one request, and one for each file; the token goes to the endpoint alone',
    async (worker) => {
      expectModel(await load({ worker, hub: { token: hub.token } }));
      const gets = hub.requests.filter(({ headers }) => headers.authorization);
      expect(gets.map(({ path }) => path.replace(commit, 'COMMIT')).sort()).toEqual(
        [`/api/models/${id}/revision/main?blobs=true`, ...needed.map((file) => `/${id}/resolve/COMMIT/${file}`)].sort(),
      );
      expect(hub.storeRequests.length).toBeGreaterThanOrEqual(shards.length);
      expect(hub.sawToken(hub.storeRequests)).toBe(false);
    },
  );

  test.each([true, false])('worker: %s: kept under its name, and then one small request', async (worker) => {
    const options = { worker, cache: true };
    const first = await load(options);
    expect(expectModel(first)).toEqual([]);
    expect(first.list.map((each) => each.name)).toEqual([name, ...needed.map((file) => `${name}/${file}`)].sort());
    hub.forget();
    const reopened = await pages.open();
    expect(expectModel(await load(options, `hf:${id}`, reopened))).toEqual([]);
    await reopened.close();
    expect(asked()).toEqual([`/api/models/${id}/revision/main?expand=sha`]);
  });

  testOnce('main has moved: only changed files are loaded', async () => {
    await load({ cache: true });
    const moved = hub.add(id, { ...files, 'config.json': Buffer.from(`${Buffer.from(files['config.json'])} `) });
    hub.forget();
    expectModel(await load({ cache: true }));
    expect(asked()).toEqual([
      `/api/models/${id}/revision/main?expand=sha`,
      `/api/models/${id}/revision/main?blobs=true`,
      `/${id}/resolve/${moved}/config.json`,
    ]);
    hub.forget();
    expectModel(await load({ cache: true }));
    expect(asked()).toHaveLength(1);
  });

  testOnce('offline, the kept model is used, with and without `offline`', async () => {
    await load({ cache: true });
    hub.forget();
    expect(expectModel(await load({ cache: true, hub: { offline: true } }))).toEqual([]);
    expect(asked()).toEqual([]);
    hub.plans.push({ at: '/api/', status: 503 });
    expect(expectModel(await load({ cache: true }))).toEqual([
      expect.stringContaining(`the stored copy of commit ${commit}`),
    ]);
  });

  testOnce('offline, a model that is not kept is an error', async () => {
    expect(await load({ hub: { offline: true } })).toMatchObject({ code: 'IO', reason: 'offline' });
    expect(asked()).toEqual([]);
  });

  testOnce('a model is deleted by its name', async () => {
    await load({ cache: true });
    const result = await runOn(
      pages.current,
      async ({ modelCache }, deleted) => [await modelCache.delete(deleted), await modelCache.list()],
      name,
    );
    expect(result).toEqual([true, []]);
  });

  testOnce('wrong bytes are not kept', async () => {
    const wrong = Buffer.from(files[shards[1]]);
    wrong[wrong.length - 1] ^= 1;
    for (let i = 0; i < 4; ++i) hub.plans.push({ at: 'Signature', instead: wrong });
    expect((await load({ cache: true })).code).toMatch(/IO|FORMAT/);
    hub.forget();
    expectModel(await load({ cache: true }));
  });

  test('where the browser hides the reason, the error lists possible ones', async () => {
    await pages.current.goto(`${server.url}csp.html`);
    const { reason, message } = await load({ worker: false });
    expect(reason).toBe('network');
    expect(message).toMatch(/Browsers hide the cause: .*connect-src.*CORS.*docs\/hub.md/);
  });
});
