// <quintet-search> on pages that are strict, hostile, in other languages, or styled by someone else.
import { chromium, firefox, pagesIn } from './pages.mjs';
import { gardenScript, parts, servePages } from './site_search/pages.mjs';

const search = (attributes = '') => `<quintet-search base="/garden/" ${attributes}></quintet-search>`;
const strict = "default-src 'self'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'";

describe.each([chromium, firefox])('<quintet-search> in %s', (_, launchBrowser) => {
  const servers = {};
  beforeAll(async () => {
    servers.strict = await servePages(
      {
        '/page': `${search()}<p id="violations"></p><script src="/tests/browser/site_search/violations.js"></script>${gardenScript}`,
      },
      { headers: { 'content-security-policy': strict } },
    );
    const foreign =
      '<style>* { color: rgb(255, 0, 0) !important; font-size: 40px; border: 9px solid lime } mark, a { display: none }</style>' +
      '<style>quintet-search { --quintet-search-text: rgb(1, 2, 3); } quintet-search::part(title) { letter-spacing: 7px }</style>';
    servers.styled = await servePages(
      {
        '/page': `${search()}<mark id="mark">mark</mark><a id="link" href="#">link</a><dialog id="other"></dialog>${gardenScript}`,
        '/bare': '<mark id="mark">mark</mark><a id="link" href="#">link</a><dialog id="other"></dialog>',
      },
      { head: foreign },
    );
    servers.arabic = await servePages({ '/page': `${search()}${search('lang="fr"')}${gardenScript}` }, { lang: 'ar' });
  });
  afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));
  const pages = pagesIn(launchBrowser, () => 'about:blank');
  const page = () => pages.current;
  const { find, textsOf, textOf, attributeOf, said } = parts(page);
  const goto = async (server, path = 'page') => {
    await page().goto(servers[server].url + path);
    if (path === 'page') await page().waitForFunction(() => globalThis.garden);
  };
  const ask = async (text) => {
    await page().keyboard.press('/');
    await page().keyboard.type(text);
  };

  test('works under a strict Content Security Policy and Trusted Types', async () => {
    await goto('strict');
    await ask('tomatoes');
    await said(/3 results/);
    // The style has been applied, and a picture is an element and not a text.
    expect(await page().$eval(find('[part=title]'), (it) => getComputedStyle(it).fontWeight)).toBe('600');
    expect(await page().$eval(find('a svg'), (it) => it.getBoundingClientRect().width)).toBeGreaterThan(10);
    expect(await page().$eval('#violations', (it) => it.textContent)).toBe('');
  });

  test('markup in results stays text, and script addresses are not links', async () => {
    await goto('styled');
    await page().evaluate(() => {
      const attack = '<img src=x onerror="globalThis.attacked = true"><script>attacked = true</script>';
      const excerpt = {
        text: attack,
        marks: [
          [0, 4],
          [2, 9],
          [20, 10_000],
          [-5, 3],
          [Number.NaN, 5],
        ],
      };
      const hit = (url) => ({
        url,
        title: attack,
        score: 1,
        meta: { image: 'javascript:attacked = true' },
        excerpt,
        sections: [{ anchor: attack, title: attack, score: 1, excerpt }],
      });
      document.querySelector('quintet-search').site = {
        search: async () =>
          ['javascript:globalThis.attacked = true', 'data:text/html,<script>1</script>', 'http://[', 'fine.html'].map(
            hit,
          ),
        filters: async () => ({ [attack]: { [attack]: 1 }, ['__proto__']: { constructor: 1 } }),
        close() {},
      };
    });
    await ask('<b>x</b>');
    await page().waitForSelector(find('[part=filters]:not([hidden])'));
    const hrefs = await page().$$eval(find('a'), (all) => all.map((it) => new URL(it.href).pathname));
    expect(hrefs).toEqual(['/garden/fine.html', '/garden/fine.html']);
    expect((await textsOf('[part=title]'))[0]).toMatch(/^<img src=x/);
    expect(await textOf('[part=excerpt]')).toMatch(/^<img src=x.*<\/script>$/);
    expect(await textsOf('mark')).toEqual(['<img']);
    for (const made of ['img', 'script', 'b']) expect(await page().$$(find(made))).toHaveLength(0);
    await page().keyboard.press('ArrowDown');
    expect(await page().evaluate(() => globalThis.attacked)).toBe(undefined);
  });

  test('styles neither leak in nor out', async () => {
    const styleOf = (selector) =>
      page().$eval(selector, (it) => {
        const { color, fontSize, display, borderTopWidth, padding, width } = getComputedStyle(it);
        return { color, fontSize, display, borderTopWidth, padding, width };
      });
    const outside = async () => [await styleOf('#mark'), await styleOf('#link'), await styleOf('#other')];
    await goto('styled', 'bare');
    const before = await outside();
    await goto('styled');
    expect(await outside()).toEqual(before);
    await ask('tomatoes');
    await said(/3 results/);
    expect(await styleOf(find('mark'))).toMatchObject({
      display: 'inline',
      borderTopWidth: '0px',
      color: 'rgb(1, 2, 3)',
    });
    expect(await styleOf(find('a'))).toMatchObject({ display: 'flex', borderTopWidth: '0px' });
    // The page may change custom properties and parts.
    expect(await page().$eval(find('[part=title]'), (it) => getComputedStyle(it).letterSpacing)).toBe('7px');
  });

  test('speaks the language of the page, from right to left', async () => {
    await goto('arabic');
    expect(await attributeOf('[part=root]', 'dir')).toBe('rtl');
    await ask('tomatoes');
    await said(/^3 نتائج$/);
    const at = (selector) => page().$eval(find(selector), (it) => it.getBoundingClientRect().x);
    expect(await at('[part=clear]')).toBeLessThan(await at('[part=input]'));
    expect(await at('a .texts')).toBeLessThan(await at('a svg'));
    expect(await page().$$eval('quintet-search:nth-of-type(2) >>> [part=trigger-text]', ([it]) => it.textContent)).toBe(
      'Rechercher',
    );
  });

  test('fills small screens, with targets large enough for fingers', async () => {
    await goto('strict');
    await page().setViewport({ width: 360, height: 640 });
    await ask('tomatoes');
    await said(/3 results/);
    const box = await page().$eval(find('dialog'), (it) => it.getBoundingClientRect().toJSON());
    expect(box).toMatchObject({ x: 0, y: 0, width: 360, height: 640 });
    expect(await page().$eval(find('[part=body]'), (it) => it.scrollWidth - it.clientWidth)).toBe(0);
    expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
