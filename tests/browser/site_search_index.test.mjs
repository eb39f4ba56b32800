// A site with the index and the scripts that buildSite has put next to its pages.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tasksDuring } from './page_tasks.mjs';
import { chromium, firefox, pagesIn } from './pages.mjs';
import { buildHandbook, serveFolder } from './site_search/handbook.mjs';
import { parts, servePages } from './site_search/pages.mjs';

let handbook;
beforeAll(async () => {
  handbook = await buildHandbook();
});
afterAll(() => handbook?.remove());

describe.each([chromium, firefox])('a built site in %s', (name, launchBrowser) => {
  const servers = [];
  const serve = async (options) => {
    const server = await serveFolder(handbook.folder, options);
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  const pages = pagesIn(launchBrowser, () => 'about:blank');
  const page = () => pages.current;
  const { find, textsOf, said } = parts(page);
  const ask = async (text) => {
    await page().waitForSelector('quintet-search:defined');
    await page().keyboard.press('/');
    await page().keyboard.type(text);
  };
  /** Opens a page and returns what its policy refused. */
  const goto = async (url) => {
    const refused = [];
    page().on('console', (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
    await page().goto(url);
    return refused;
  };

  test('from a sub-path, with one tag, under a strict policy, in a worker', async () => {
    const policy = { 'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'" };
    const { url, requests } = await serve({ base: '/the/handbook/', headers: policy });
    const refused = await goto(`${url}weather/fog.html`);
    expect(requests.filter((path) => path.endsWith('.bin'))).toEqual([]);
    await ask('vinegar');
    await said(/^1 result$/);
    expect(await textsOf('[part=title]')).toEqual(['Cleaning the lamp', 'Vinegar']);
    expect((await textsOf('mark'))[0].toLowerCase()).toBe('vinegar');
    expect(requests.every((path) => path.startsWith('/the/handbook/'))).toBe(true);
    await page().keyboard.press('ArrowUp');
    await Promise.all([page().waitForNavigation(), page().keyboard.press('Enter')]);
    expect(page().url().split(':~:')[0]).toBe(`${url}lamp/cleaning.html#vinegar`);
    expect(refused).toEqual([]);
  });

  test('where Trusted Types are required', async () => {
    const { url } = await serve({ headers: { 'content-security-policy': "require-trusted-types-for 'script'" } });
    await goto(url);
    await ask('vinegar');
    await said(/^1 result$/);
    if (name === 'Chromium') expect(page().workers()).toHaveLength(1);
  });

  test('a title with markup is shown as it is written', async () => {
    const { url } = await serve();
    await goto(url);
    await ask('horn');
    await said(/^1 result$/);
    expect((await textsOf('[part=title]'))[0]).toMatch(/Fog signals/);
    expect(await page().$$(find('img'))).toHaveLength(0);
    expect(await page().evaluate(() => globalThis.attacked)).toBe(undefined);
  });

  test.each([
    ['in a worker', ''],
    ['on the page where a policy allows no worker', "worker-src 'none'"],
  ])('from another origin, %s', async (_, policy) => {
    const other = await serve({ headers: { 'access-control-allow-origin': '*' } });
    const home = await servePages(
      {
        '/page': `<quintet-search></quintet-search><script type="module" src="${other.url}search/quintet-search.js"></script>`,
      },
      { headers: policy ? { 'content-security-policy': policy } : {} },
    );
    servers.push(home);
    await page().goto(`${home.url}page`);
    await ask('clockwork');
    await said(/^1 result$/);
    if (name === 'Chromium') expect(page().workers()).toHaveLength(policy ? 0 : 1);
    expect(await page().$eval(find('a'), (it) => it.href.split('#')[0])).toBe(`${other.url}lamp/cleaning.html`);
  });

  test('offline, by the service worker of docs/search-box.md, for earlier searches', async () => {
    const guide = readFileSync(new URL('../../docs/search-box.md', import.meta.url), 'utf8');
    writeFileSync(join(handbook.folder, 'sw.js'), /```js\n(\/\/ sw\.js.*?)```/s.exec(guide)[1]);
    let isOffline = false;
    const { url } = await serve({ isLost: (path) => isOffline && path.startsWith('/search/') });
    await goto(url);
    await page().evaluate(async () => {
      await navigator.serviceWorker.register('sw.js');
      await navigator.serviceWorker.ready;
    });
    const search = async () => {
      await goto(url);
      await ask('vinegar');
      await said(/^1 result$/);
      expect(await textsOf('[part=title]')).toEqual(['Cleaning the lamp', 'Vinegar']);
    };
    await search();
    isOffline = true;
    await search();
  });

  test('reports that there is no index', async () => {
    const broken = await buildHandbook();
    rmSync(join(broken.folder, 'search', 'quintet-site.json'));
    const server = await serveFolder(broken.folder);
    servers.push(server);
    await goto(server.url);
    await ask('lamp');
    await page().waitForSelector(find('[role=alert]:not([hidden])'));
    expect(await textsOf('[role=alert] span')).toEqual(['The search could not be loaded.']);
    broken.remove();
  });

  if (name === 'Chromium') {
    test('leaves the page free', async () => {
      const { url } = await serve();
      await goto(url);
      await ask('lamp');
      await said(/result/);
      await page().keyboard.press('Escape');
      const tasks = await tasksDuring(page(), async () => {
        await ask('oil for the clockwork');
        await said(/result/);
      });
      expect(tasks.length).toBeGreaterThan(20);
      expect(Math.max(...tasks)).toBeLessThan(50);
    });
  }
});
