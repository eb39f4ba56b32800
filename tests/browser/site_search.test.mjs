// <quintet-search> with a site that is written by hand (site_search/garden.js).
import { chromium, firefox, pagesIn, testOnceIn } from './pages.mjs';
import { gardenScript, parts, servePages } from './site_search/pages.mjs';

const field = '<label>Name <input id="name"></label><button id="before">Before</button>';
const search = (attributes = '') => `<quintet-search base="/garden/" ${attributes}></quintet-search>`;

/** The results of the garden's pages for 'tomatoes', written by hand. */
const titles = ['Tomatoes', 'Pruning tomatoes', 'Blight', 'Beans', 'Marigolds & <b>friends</b>'];

describe.each([chromium, firefox])('<quintet-search> in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let server;
  beforeAll(async () => {
    server = await servePages({
      '/garden/': `${field}${search()}${gardenScript}`,
      '/garden/inline': `${search('inline limit="2"')}${gardenScript}`,
      '/garden/synced': `${search('sync-url')}${gardenScript}`,
      '/garden/words': `${search('highlight="words"')}${gardenScript}`,
      '/garden/two': `${search('id="first" text-search="Find"')}${search('id="second" inline lang="de"')}${gardenScript}`,
      '/garden/template': `<quintet-search base="/garden/"><span slot="footer">By the garden</span>
        <template><strong data-kind="page" data-field="title"></strong><em data-kind="section" data-field="title"></em>
        <img data-kind="page" alt="" data-field="meta:image"><i data-field="meta:unknown"></i><q data-field="excerpt"></q></template>
        </quintet-search>${gardenScript}`,
      '/garden/flowers/index.html': '<h1>Marigolds</h1>',
      '/garden/beds/tomatoes.html': `<main><p id="intro">Water tomatoes. Tomatoesque? A canetomato.</p><h2 id="pruning">Pruning tomatoes</h2>
        <p>Break off the side shoots of tomatoes as soon as they show, and tie the stem to a cane.</p></main>
        <script type="module" src="/dist/quintet-search.js"></script>`,
    });
  });
  afterAll(() => server?.close());
  const pages = pagesIn(launchBrowser, () => `${server.url}garden/`);
  const page = () => pages.current;
  const { find, textOf, textsOf, attributeOf, said, focused, titleOfActive } = parts(page);
  const goto = async (path) => {
    await page().goto(server.url + path);
    await page().waitForFunction(() => globalThis.garden);
  };
  const ask = async (text) => {
    await page().keyboard.press('/');
    await page().keyboard.type(text);
  };

  test('works with the keyboard alone, and returns the focus', async () => {
    await goto('garden/');
    await page().focus('#name');
    await page().keyboard.type('a/b');
    expect(await page().$eval('#name', ({ value }) => value)).toBe('a/b');
    await page().focus('#before');
    await page().keyboard.press('/');
    expect(await focused()).toBe('input');
    await page().keyboard.type('tomatoes');
    await said(/^3 results$/);
    expect(await textsOf('[part=title]')).toEqual(titles);
    expect(await titleOfActive()).toBe(null);
    const path = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'ArrowUp']) {
      await page().keyboard.press(key);
      path.push(await titleOfActive());
    }
    expect(path).toEqual([titles[0], titles[1], titles[4], null, titles[4], titles[0], null]);
    // Nothing behind the dialog gets the focus.
    const visited = new Set();
    for (let i = 0; i < 8; ++i) {
      await page().keyboard.press('Tab');
      visited.add(await focused());
    }
    for (const behind of ['name', 'before']) expect([...visited]).not.toContain(behind);
    expect([...visited]).toEqual(expect.arrayContaining(['clear', 'close', 'filters-title']));
    await page().keyboard.press('Escape');
    expect(await page().$eval(find('dialog'), ({ open }) => open)).toBe(false);
    expect(await focused()).toBe('before');
    await page().keyboard.down('Control');
    await page().keyboard.press('k');
    await page().keyboard.up('Control');
    expect(await focused()).toBe('input');
    await page().keyboard.press('Escape');
    expect(await focused()).toBe('before');
  });

  test('Enter follows the active result, or the first one', async () => {
    await goto('garden/');
    await ask('tomatoes');
    await said(/3 results/);
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    await Promise.all([page().waitForNavigation(), page().keyboard.press('Enter')]);
    // Chromium also reports the text in the link.
    expect(page().url().split(':~:')[0]).toBe(`${server.url}garden/beds/tomatoes.html#pruning`);
    await goto('garden/');
    await ask('marigolds');
    await said(/1 result$/);
    await Promise.all([page().waitForNavigation(), page().keyboard.press('Enter')]);
    expect(page().url().split('#')[0]).toBe(`${server.url}garden/flowers/index.html`);
  });

  testOnce('a program may open the result itself', async () => {
    await goto('garden/');
    await page().evaluate(() => {
      globalThis.told = [];
      for (const type of ['quintet-search', 'quintet-select'])
        document.addEventListener(type, (event) => {
          if (type === 'quintet-select') event.preventDefault();
          globalThis.told.push([type, event.detail.query, event.detail.url?.split('#')[0] ?? event.detail.hits.length]);
        });
    });
    await page().evaluate(() => document.querySelector('quintet-search').search('beans'));
    await said(/1 result$/);
    await page().keyboard.press('Enter');
    expect(await page().evaluate(() => globalThis.told)).toEqual([
      ['quintet-search', 'beans', 1],
      ['quintet-select', 'beans', `${server.url}garden/beds/beans.html`],
    ]);
    expect(page().url()).toBe(`${server.url}garden/`);
    expect(await page().$eval(find('dialog'), ({ open }) => open)).toBe(false);
  });

  test('has the roles and names of a combobox with a grouped list', async () => {
    await goto('garden/');
    expect(await attributeOf('[part=trigger]', 'aria-haspopup')).toBe('dialog');
    await ask('tomatoes');
    await said(/3 results/);
    await page().keyboard.press('ArrowDown');
    const roles = await page().evaluate(() => {
      const { shadowRoot: root } = document.querySelector('quintet-search');
      const input = root.querySelector('[role=combobox]');
      const list = root.getElementById(input.getAttribute('aria-controls'));
      return {
        expanded: input.ariaExpanded,
        list: list.role ?? list.getAttribute('role'),
        parents: [...list.children].map((it) => it.getAttribute('role')),
        options: [...list.querySelectorAll('[role=option]')].map((it) => it.getAttribute('aria-selected')),
        active: input.getAttribute('aria-activedescendant') === list.querySelector('[aria-selected=true]').id,
        unnamed: [...root.querySelectorAll('button, input, dialog, [role=listbox], [role=group]')]
          .filter(
            (it) => !it.ariaLabel && !it.getAttribute('aria-label') && !it.textContent.trim() && !it.closest('label'),
          )
          .map((it) => it.outerHTML),
      };
    });
    expect(roles).toEqual({
      expanded: 'true',
      list: 'listbox',
      parents: ['group', 'group', 'group'],
      options: ['true', 'false', 'false', 'false', 'false'],
      active: true,
      unnamed: [],
    });
  });

  if (name === 'Chromium') {
    test('a screen reader finds dialog, field and results', async () => {
      await goto('garden/');
      await ask('beans');
      await said(/1 result$/);
      const all = [];
      const walk = (node) => {
        all.push([node.role, node.name]);
        node.children?.forEach(walk);
      };
      walk(await page().accessibility.snapshot({ interestingOnly: false, includeIframes: false }));
      const named = (role) => all.filter(([found]) => found === role).map(([, said]) => said);
      expect(named('dialog')).toEqual(['Search']);
      expect(named('combobox')).toEqual(['Search']);
      expect(named('group')).toContain('Beans');
      expect(named('option')).toEqual([expect.stringMatching(/beds › beans.*Beans.*Beans climb up poles/s)]);
      expect(named('button')).toEqual(expect.arrayContaining(['Clear', 'Close']));
    });
  }

  test('answers by words first, then by meaning, and never with stale results', async () => {
    await goto('garden/');
    await ask('red');
    await said(/3 results/);
    const asked = await page().evaluate(() => globalThis.garden.questions);
    // Meaning waits until typing pauses, and is asked last.
    expect(asked.at(-1)).toEqual({ text: 'red', mode: 'hybrid' });
    expect(asked.filter(({ mode }) => mode === 'keyword').map(({ text }) => text)).toEqual(['r', 're', 'red']);

    await page().keyboard.press('Escape');
    await page().evaluate(() => {
      globalThis.waiting = {};
      const hit = (title) => ({
        url: title,
        title,
        score: 1,
        meta: {},
        excerpt: { text: '', marks: [] },
        sections: [],
      });
      document.querySelector('quintet-search').site = {
        search: (text, { mode }) =>
          new Promise((resolve) => {
            globalThis.waiting[`${text} ${mode}`] = () => resolve([hit(`${text} ${mode}`)]);
          }),
        filters: async () => ({}),
        close() {},
      };
    });
    for (const text of ['first', 'second']) {
      await page().evaluate((asked) => document.querySelector('quintet-search').search(asked), text);
      await page().waitForFunction((asked) => `${asked} hybrid` in globalThis.waiting, {}, text);
    }
    const answer = (question) => page().evaluate((key) => globalThis.waiting[key](), question);
    await answer('second hybrid');
    await said(/1 result/);
    for (const late of ['second keyword', 'first hybrid', 'first keyword']) await answer(late);
    await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await textsOf('[part=title]')).toEqual(['second hybrid']);
  });

  testOnce('results that stay in the list keep their elements', async () => {
    await goto('garden/');
    await ask('tomatoes');
    await said(/3 results/);
    await page().evaluate(() => {
      const { shadowRoot } = document.querySelector('quintet-search');
      globalThis.kept = [...shadowRoot.querySelectorAll('[role=group]')];
      globalThis.changes = 0;
      new MutationObserver((records) => {
        for (const { removedNodes } of records) globalThis.changes += removedNodes.length;
      }).observe(shadowRoot.querySelector('[role=listbox]'), { childList: true });
    });
    await page().keyboard.type(' ');
    await page().keyboard.type('soil');
    await page().waitForFunction(() =>
      globalThis.garden.questions.some((it) => it.text === 'tomatoes soil' && it.mode === 'hybrid'),
    );
    await said(/3 results/);
    expect(
      await page().evaluate(() =>
        globalThis.kept.every((group) => group.isConnected) ? globalThis.changes : 'an element was made again',
      ),
    ).toBe(0);
  });

  testOnce('filters with counts', async () => {
    await goto('garden/');
    await ask('tomatoes');
    await page().waitForSelector(find('[part=filters]:not([hidden])'));
    expect(await textsOf('legend')).toEqual(['kind', 'month']);
    expect(await textsOf('[part=filter]')).toEqual(['vegetable2', 'flower1', 'May2', 'June2']);
    await page().$eval(find('[part=filters-title]'), (it) => it.click());
    await page().$eval(find('input[value=vegetable]'), (it) => it.click());
    await said(/2 results/);
    expect(await textsOf('[part~=page] [part=title]')).toEqual(['Tomatoes', 'Beans']);
    await page().$eval(find('input[value=June]'), (it) => it.click());
    await said(/1 result$/);
    expect(await textsOf('[part~=page] [part=title]')).toEqual(['Tomatoes']);
  });

  testOnce('reports no results and failures, and tries again', async () => {
    await goto('garden/');
    await ask('zebra');
    await said(/No results for “zebra”/);
    expect(await textOf('[part=empty]')).toBe('No results for “zebra”');
    await page().evaluate(() => {
      const working = globalThis.garden;
      const search = document.querySelector('quintet-search');
      const broken = { ...working, search: () => Promise.reject(new Error('broken')), close() {} };
      search.site = broken;
      search.search('beans');
    });
    await page().waitForSelector(find('[role=alert]:not([hidden])'));
    expect(await textOf('[role=alert] span')).toBe('The search could not be loaded.');
    await page().evaluate(() => {
      document.querySelector('quintet-search').site = globalThis.garden;
    });
    await page().$eval(find('[part=again]'), (it) => it.click());
    await said(/1 result$/);
    expect(await page().$eval(find('[role=alert]'), ({ hidden }) => hidden)).toBe(true);
  });

  test('?q= opens it, and the address follows on request', async () => {
    await goto('garden/?q=beans');
    await said(/1 result$/);
    expect(await page().$eval(find('dialog'), ({ open }) => open)).toBe(true);
    await page().keyboard.type('tomatoes');
    await said(/3 results/);
    expect(new URL(page().url()).search).toBe('?q=beans');
    await goto('garden/synced?q=beans&page=2#there');
    await said(/1 result$/);
    await page().keyboard.type('tomatoes');
    await said(/3 results/);
    expect(new URL(page().url()).search).toBe('?q=tomatoes&page=2');
    await page().keyboard.press('Escape');
    await page().waitForFunction(() => location.search === '?page=2' && location.hash === '#there');
  });

  test('a box in the page, with more results on request', async () => {
    await goto('garden/inline');
    await page().$eval(find('[part=input]'), (it) => it.focus());
    await page().keyboard.type('tomatoes');
    await said(/2 results/);
    expect(await page().$(find('dialog'))).toBe(null);
    await page().$eval(find('[part=more]'), (it) => it.click());
    await said(/3 results/);
    expect(await textsOf('[part~=page] [part=title]')).toHaveLength(3);
    await page().$eval(find('[part=clear]'), (it) => it.click());
    expect(await textsOf('[part=title]')).toEqual([]);
  });

  testOnce('several elements do not interfere with one another', async () => {
    await goto('garden/two');
    const [first, second] = ['#first', '#second'].map((host) => parts(page, host));
    expect(await first.textOf('[part=trigger-text]')).toBe('Find');
    expect(await second.attributeOf('[part=input]', 'placeholder')).toBe('Suchen');
    await page().keyboard.press('/');
    expect(await first.focused()).toBe('input');
    await page().keyboard.type('beans');
    await first.said(/^1 result$/);
    await page().keyboard.press('Escape');
    await page().$eval(second.find('[part=input]'), (it) => it.focus());
    await page().keyboard.type('tomatoes');
    await second.said(/^3 Ergebnisse$/);
    expect(await first.textsOf('[part=title]')).toEqual(['Beans']);
  });

  test('a template and a slot of the page', async () => {
    await goto('garden/template');
    await ask('tomatoes');
    await said(/3 results/);
    expect(await textsOf('[part~=page] strong')).toEqual([titles[0], titles[3], titles[4]]);
    expect(await textsOf('[part~=section] em')).toEqual([titles[1], titles[2]]);
    expect(await page().$$eval(find('a img'), (all) => all.map(({ src }) => src))).toEqual(
      Array(3).fill(`${server.url}garden/picture.png`),
    );
    expect(await page().$$eval(find('a i'), (all) => all.length)).toBe(0);
    expect(await textsOf('a q mark')).toHaveLength(5);
    expect(await page().$eval('[slot=footer]', (it) => it.assignedSlot?.name)).toBe('footer');
  });

  test('links contain the text where it is safe, or the words for the target', async () => {
    await goto('garden/');
    await ask('tomatoes');
    await said(/3 results/);
    const hrefs = () => page().$$eval(find('a'), (all) => all.map((it) => it.href.replace(/^.*\/garden\//, '')));
    const directive = (text) => `:~:text=${encodeURIComponent(text)}`;
    expect(await hrefs()).toEqual([
      `beds/tomatoes.html#${directive('Tomatoes want warm soil and a place in the')}`,
      `beds/tomatoes.html#pruning${directive('the side shoots of tomatoes as soon as they')}`,
      `beds/tomatoes.html#blight${directive('on the leaves of tomatoes are blight, which comes')}`,
      `beds/beans.html#${directive('up poles next to tomatoes and feed the soil.')}`,
      `flowers/index.html#${directive('Marigolds keep insects away from tomatoes.')}`,
    ]);
    await goto('garden/words');
    await ask('tomatoes');
    await said(/3 results/);
    expect((await hrefs())[1]).toBe('beds/tomatoes.html?quintet-highlight=tomatoes#pruning');
    await page().keyboard.press('ArrowDown');
    await Promise.all([page().waitForNavigation(), page().keyboard.press('Enter')]);
    const marked = await page().evaluate(() =>
      [...(CSS.highlights?.get('quintet-search') ?? [])].map((range) => [
        range.toString(),
        range.startContainer.parentElement.tagName,
      ]),
    );
    // Words and beginnings of words, but not ends.
    expect(marked).toEqual([
      ['tomatoes', 'P'],
      ['Tomatoes', 'P'],
      ['tomatoes', 'H2'],
      ['tomatoes', 'P'],
    ]);
  });
});
