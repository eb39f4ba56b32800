// The search page of the demo site, as visitors use it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Embedder, SearchIndex } from '../../../dist/node.js';
import { embedder } from '../../../models/index.js';
import { pages } from '../../../web/building/pages.mjs';
import { bundledIndex } from '../../../web/building/paths.mjs';
import { tasksDuring } from '../page_tasks.mjs';
import { chromium, firefox, testOnceIn } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward, transfersOf } from './forwarding.mjs';

const picture = fileURLToPath(new URL('../../fixtures/images/gradient.png', import.meta.url));
/** Questions that the book answers, and where. */
const answered = [
  { query: 'why is venus so hot', section: 'The Massive Atmosphere of Venus' },
  { query: 'what makes the sea rise and fall twice a day', section: 'Ocean Tides and the Moon' },
  { query: 'were there once rivers on the red planet', section: 'Water and Life on Mars' },
];

let site;
let folder;
beforeAll(async () => {
  site = await serveDemoSite();
  folder = mkdtempSync(join(tmpdir(), 'quintet-texts-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name, content) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('of 50 questions, 40 find a section that answers them in the first five, by the default mode', async () => {
  const model = await Embedder.load(embedder);
  const index = await SearchIndex.load(new Uint8Array(readFileSync(bundledIndex)), { embedder: model });
  const questions = JSON.parse(readFileSync(new URL('./book_questions.json', import.meta.url), 'utf8'));
  expect(questions.length).toBe(50);
  const missed = [];
  for (const { query, sections } of questions) {
    const found = (await index.search(query, { k: 5 })).map(({ payload }) => payload.title.split(' › ')[0]);
    if (!found.some((title) => sections.includes(title))) missed.push(query);
  }
  model.close();
  expect(missed.length).toBeLessThanOrEqual(10);
});

describe.each([chromium, firefox])('the search page in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let origin;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  // An origin for each test: nothing has been kept for it.
  beforeEach(async () => {
    origin = await forward(site.url);
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await origin.close();
  });

  const open = (question = '') =>
    page.goto(`${origin.url}search.html${question && `?q=${encodeURIComponent(question)}`}`);
  const until = (selector, pattern) =>
    page.waitForFunction(
      (where, wanted) => new RegExp(wanted, 's').test(document.querySelector(where)?.textContent ?? ''),
      {},
      selector,
      pattern.source,
    );
  const textOf = (selector) => page.$eval(selector, (element) => element.textContent);
  const ask = (question) =>
    page.$eval(
      '#query',
      (field, asked) => {
        field.value = asked;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      question,
    );
  const give = async (...paths) => (await page.$('#files')).uploadFile(...paths);
  const firstResult = '#results > li:first-child';
  const click = (selector) => page.$eval(selector, (element) => element.click());

  test('answers questions as they are typed, and an answer leads to its page of the book', async () => {
    await open(answered[0].query);
    for (const [i, { query, section }] of answered.entries()) {
      if (i > 0) await ask(query);
      await page.waitForFunction(
        (title) =>
          [...document.querySelectorAll('#results h3')].slice(0, 3).some((it) => it.textContent.startsWith(title)),
        {},
        section,
      );
    }
    await until('#found', /scores: reciprocal ranks/);
    expect(await page.$$('#results > li')).toHaveLength(10);
    expect(await textOf('#found')).toMatch(/[\d,]+ passages searched/);
    const scores = await page.$$eval('.result .score', (all) => all.map((score) => Number(score.textContent)));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    await ask('');
    await page.waitForFunction(() => document.querySelector('#results').children.length === 0);

    await ask('what are the rings of Saturn made of');
    await page.waitForSelector(`${firstResult} a`);
    const title = await textOf(`${firstResult} h3`);
    const passage = await textOf(`${firstResult} .passage`);
    await Promise.all([page.waitForNavigation(), page.click(`${firstResult} a`)]);
    expect(title.startsWith(await textOf('h1'))).toBe(true);
    expect(await textOf('article')).toContain(passage.split('\n\n')[0]);
  });

  testOnce('searches by meaning or by words alone, and explains the scores', async () => {
    await open('sunspots magnetic');
    await until('#found', /scores: reciprocal ranks/);
    const orderOf = () => page.$$eval('#results > li', (all) => all.map(({ dataset }) => dataset.id));
    const both = await orderOf();
    await click('[name=mode][value=keyword]');
    await until('#found', /scores: BM25/);
    for (const result of await page.$$eval('#results > li', (all) => all.map((each) => each.textContent)))
      expect(result).toMatch(/sunspot|magneti/i);
    const byWords = await orderOf();
    await click('[name=mode][value=vector]');
    await until('#found', /scores: cosine similarity/);
    const byMeaning = await orderOf();
    expect(both).not.toEqual(byMeaning);
    expect([...byMeaning, ...byWords]).toEqual(expect.arrayContaining(both.slice(0, 3)));
  });

  testOnce('orders results with a reranker from files, and shows what has moved', async () => {
    await open('comets');
    await until('#found', /scores: reciprocal ranks/);
    const ids = () => page.$$eval('#results > li', (all) => all.map(({ dataset }) => dataset.id));
    const before = await ids();
    await click('#reranking summary');
    await page.waitForSelector('#named-reranker input');
    expect(await page.$eval('#rerank', ({ disabled }) => disabled)).toBe(true);
    const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
    await (await page.$('#reranker-files')).uploadFile(
      ...files.map((file) => fileURLToPath(new URL(`../../fixtures/rerankers/bert/${file}`, import.meta.url))),
    );
    await until('#found', /30 reranked in .*scores: of the reranker/);
    const after = await ids();
    expect(after).not.toEqual(before);
    const places = await page.$$eval('#results .moved', (all) =>
      all.map((each) => Number(/\d+/.exec(each.textContent)[0])),
    );
    expect(places).toHaveLength(10);
    for (const [i, id] of before.entries()) {
      const now = after.indexOf(id);
      if (now >= 0) expect(places[now]).toBe(i + 1);
    }
    await click('#rerank');
    await until('#found', /scores: reciprocal ranks/);
    expect(await ids()).toEqual(before);
  });

  test('works by keyboard, and its parts have names', async () => {
    await open();
    await until('#corpus', /[\d,]+ passages of the textbook/);
    await page.keyboard.press('/');
    await page.keyboard.type('tides');
    await page.waitForSelector(firstResult);
    // The answer to all of the word: later ones would take the focus away.
    await until('#announced', /10 results\. First: /);
    const focused = () =>
      page.evaluate(() => [...document.querySelector('#results').children].indexOf(document.activeElement));
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(1);
    await page.keyboard.press('End');
    expect(await focused()).toBe(9);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement.id)).toBe('query');
    const unnamed = await page.$$eval(':is(a, button, input, nav, [role=group], [role=progressbar])', (all) =>
      all
        .filter(
          (it) =>
            !it.ariaLabel &&
            !it.textContent.trim() &&
            ![...(it.labels ?? [])].some((label) => label.textContent.trim()),
        )
        .map((it) => it.outerHTML),
    );
    expect(unnamed).toEqual([]);
    expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
    expect(await page.$eval('html', ({ lang }) => lang)).toBe('en');
  });

  test("adds the visitor's texts, keeps them, and deletes them", async () => {
    const notes = [
      '# Garden',
      '',
      'Slugs eat lettuce **at night**.',
      '',
      '## Bees',
      '',
      'The hive by the [pond](https://example.com) wakes up in spring and makes honey.',
      '',
      '```',
      '# no heading',
      '```',
    ];
    const lines = [
      '{"title": "Bread", "text": "Yeast makes gas, and dough rises.", "source": "kitchen"}',
      '{"title": "broken"',
      '"The moon pulls the sea, twice a day."',
      '{"title": "empty"}',
    ];
    await open('insects that produce something sweet');
    await page.waitForSelector(firstResult);
    const html = '<nav>Home</nav><h1>Tea</h1><p>Leaves steep in <b>hot</b> water.</p><script>alert(1)</script>';
    await give(write('notes.md', notes.join('\n')), write('facts.jsonl', lines.join('\n')), write('tea.html', html));
    await until('#said', /5 passages indexed in .*saved in this browser/);
    expect(await textOf('#said')).toMatch(/facts\.jsonl: line 2: not JSON .*; line 4: no string under "text"/);
    await until(`${firstResult} h3`, /^Garden › Bees$/);
    expect(await textOf(`${firstResult} .passage`)).toMatch(/^The hive by the pond wakes up/);
    expect(await textOf(`${firstResult} .source`)).toBe('notes.md, line 7');

    await page.reload();
    await until('#corpus', /5 passages from notes\.md and 2 more files/);
    await until(`${firstResult} h3`, /^Garden › Bees$/);
    await ask('what makes a loaf grow');
    await until(`${firstResult} h3`, /^Bread$/);
    await ask('a hot drink');
    await until(`${firstResult} .passage`, /^Leaves steep in hot water\.$/);
    await give(picture);
    await until('#said [role=alert]', /gradient\.png is not a text file/);
    await until('#corpus', /5 passages from notes\.md/);

    await click('#forget');
    await until('#said', /deleted/);
    await page.reload();
    await until('#corpus', /[\d,]+ passages of the textbook/);
  });

  testOnce('rejects files that are not text with a message, and keeps its texts', async () => {
    await open(answered[0].query);
    await page.waitForSelector(firstResult);
    await give(picture);
    await until('#said [role=alert]', /gradient\.png is not a text file/);
    await give(write('bad.jsonl', '\n[1]\n{}\n'));
    await until('#said [role=alert]', /bad\.jsonl has no valid line\. Line 2: neither an object nor a string/);
    await give(write('empty.txt', ' \n'));
    await until('#said [role=alert]', /empty\.txt contains no text/);
    await until('#corpus', /[\d,]+ passages of the textbook/);
    await page.waitForSelector(firstResult);
  });

  /** More than is indexed in the time of a test. */
  const endless = () =>
    write(
      'endless.jsonl',
      Array.from({ length: 10_000 }, (_, i) => JSON.stringify(`Sentence ${i} of a very long list.`)).join('\n'),
    );

  testOnce('can be searched while it indexes, can be stopped, and keeps no half-indexed file', async () => {
    await open('a list of sentences');
    await page.waitForSelector(firstResult);
    await give(endless());
    await until(`${firstResult} .passage`, /^Sentence \d+ of a very long list\.$/);
    expect(await page.$eval('#indexing [role=progressbar]', (bar) => bar.ariaValueText)).toMatch(/^[\d,]+ of 10,000/);
    await click('#stop');
    await until('#said', /Stopped\. Nothing was saved/);
    await until('#corpus', /[\d,]+ passages of the textbook/);

    await give(endless());
    await until('#indexing', /Indexing endless\.jsonl/);
    await page.reload();
    await until('#said', /closed while indexing endless\.jsonl\. Nothing was saved/);
    await until('#corpus', /[\d,]+ passages of the textbook/);
  });

  test('works offline after the first visit', async () => {
    await open(answered[0].query);
    await page.waitForSelector(firstResult);
    await until('#offline', /Works offline/);
    await origin.close();

    await open(answered[1].query);
    await page.waitForSelector(firstResult);
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
    for (const { name: other } of pages) {
      await page.goto(`${origin.url}${other}.html`);
      expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
      expect(await page.$eval('.brand', (brand) => getComputedStyle(brand).textDecorationLine)).toBe('none');
    }
  });

  testOnce('loads less than 330 KB, without models and their texts', async () => {
    await open(answered[0].query);
    await page.waitForSelector(firstResult);
    const isModel = ({ path }) => /\.(weights|index)$/.test(path);
    const transfers = transfersOf(origin, '/search.html');
    expect(transfers.filter(isModel)).toHaveLength(2);
    const bytes = transfers.filter((transfer) => !isModel(transfer)).reduce((sum, transfer) => sum + transfer.bytes, 0);
    expect(bytes).toBeGreaterThan(150_000);
    expect(bytes).toBeLessThan(330_000);
  });

  if (name === 'Chromium') {
    test('leaves the page free while it indexes', async () => {
      await open('sentence');
      await page.waitForSelector(firstResult);
      await give(endless());
      await until('#indexing', /[1-9]\d* of 10,000/);
      const tasks = await tasksDuring(page, async () => {
        await page.focus('#query');
        await page.keyboard.type(' number three hundred and one');
        await until('#indexing', /\d\d\d of 10,000/);
      });
      await click('#stop');
      await until('#said', /Stopped/);
      expect(tasks.length).toBeGreaterThan(100);
      expect(Math.max(...tasks)).toBeLessThan(50);
    });
  }
});
