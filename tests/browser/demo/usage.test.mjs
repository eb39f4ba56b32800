// The parts of the demo site for developers: an install line, the code that the page runs, links, and why a page is
// slow.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import typescript from 'typescript';
import { Embedder, inspect } from '../../../dist/node.js';
import { embedder as bundled, pictures, storyteller } from '../../../models/index.js';
import { pages as rows } from '../../../web/building/pages.mjs';
import { addressOf, webAddress } from '../../../web/building/repository.mjs';
import { byteModel } from '../../npm/helpers/models/byte_model.mjs';
import { labelFolder } from '../../npm/label/label_folders.mjs';
import { chromium, firefox, testOnceIn } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward } from './forwarding.mjs';
import { template } from './small_hub.mjs';
import { visitor } from './visitor.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = rows.map(({ name }) => name);
const installLine = 'npm install quintet quintet-models';

let site;
let folder;
beforeAll(async () => {
  site = await serveDemoSite();
  folder = mkdtempSync(join(tmpdir(), 'quintet-code-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The code of a page as a module for Node. */
function run(page, code) {
  const { outputText } = typescript.transpileModule(code, { compilerOptions: { module: 'ESNext', target: 'ES2022' } });
  const packages = {
    quintet: `${root}dist/node.js`,
    'quintet/site': `${root}dist/node_site.js`,
    'quintet-models': `${root}models/index.js`,
  };
  const path = join(folder, `${page}.mjs`);
  writeFileSync(
    path,
    outputText.replace(/from '(quintet(?:-models|\/site)?)'/g, (_, name) => `from '${pathToFileURL(packages[name])}'`),
  );
  return import(pathToFileURL(path));
}

/** The job of each page, done with nothing but the code that it shows. */
const uses = {
  async index({ openBook, find }) {
    const book = await openBook(`${root}build/web/site/book/search`);
    const places = await find(book, 'rings of saturn', 3);
    expect(places.map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/planetary-rings-and-enceladus\.html/)]),
    );
    for (const { excerpt, marks } of places)
      for (const [start, end] of marks) expect(excerpt.slice(start, end)).toMatch(/^(rings?|of|saturn)/i);
    book.close();
  },
  async search({ loadModel, newIndex, addPassages, search }) {
    const passages = ['Yeast makes dough rise.', 'The moon causes the tides.', 'Wolves became dogs.'].map((text) => ({
      text,
    }));
    const model = await loadModel();
    const index = newIndex(model);
    const progress = [];
    expect(await addPassages(index, passages, { onProgress: (done) => progress.push(done) })).toBe(3);
    expect(progress.at(-1)).toBe(3);
    const question = 'why is there high and low tide';
    const vector = await model.embedQuery(question);
    for (const mode of ['vector', 'hybrid']) {
      const hits = await search(index, question, { k: 2, mode, vector });
      expect(hits.map(({ payload }) => payload)[0]).toBe(passages[1]);
    }
    model.close();
  },
  async chat({ loadModel, answer }) {
    const model = await loadModel(storyteller);
    let text = '';
    const chat = model.startChat({ template: 'chatml' });
    const { tokens } = await answer(chat, 'Hi', { temperature: 0, maxTokens: 20 }, (token) => (text += token.text));
    expect(chat.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: text },
    ]);
    expect(text.length).toBeGreaterThan(20);
    expect(tokens).toBe(20);
    model.close();
  },
  async documents({ loadModel, newIndex, answer }) {
    const embedder = await Embedder.load(bundled);
    const index = newIndex(embedder, { rank: () => Promise.reject(new Error('not asked for')) });
    const texts = ['Yeast makes dough rise.', 'The moon causes the tides.'];
    await index.addTexts(texts.map((text) => ({ id: text, text, payload: { title: 'Notes', text, source: 'a.txt' } })));
    const hits = await index.search('why is there high and low tide', { k: 2 });
    expect(hits[0].payload.text).toBe(texts[1]);
    const model = await loadModel(storyteller);
    let text = '';
    const passages = hits.map(({ payload }) => payload);
    for await (const piece of answer(model, 'Why?', passages, { template: 'chatml', seed: 1, maxTokens: 250 }))
      text += piece;
    expect(text).toMatch(/^[^[\]]{8,}[.!?] \[[12]\]/);
    model.close();
    embedder.close();
  },
  async labels({ loadClassifier, loadDetector, labelsOf, entitiesIn, piecesOf }) {
    const labels = ['sad', 'glad', 'neither'];
    const classifier = await loadClassifier(labelFolder('bert', { labels }));
    const found = await labelsOf(classifier, 'the tea', []);
    expect(found.map(({ label }) => label).sort()).toEqual([...labels].sort());
    classifier.close();
    const detector = await loadDetector(labelFolder('bert', { labels: ['O', 'B-PER', 'I-PER'], perToken: true }));
    const text = 'the tea in 1999';
    const pieces = piecesOf(text, await entitiesIn(detector, text));
    expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')).toBe(text);
    detector.close();
  },
  async forms({ loadModel, fillIn, nextSteps }) {
    const model = await loadModel(byteModel(template));
    const schema = { properties: { legs: { const: 4 }, kind: { enum: ['cat', 'dog'] } }, required: ['legs', 'kind'] };
    const value = await fillIn(model, 'A cat.', schema, { temperature: 0 });
    expect(value.legs).toBe(4);
    expect(['cat', 'dog']).toContain(value.kind);
    const tools = [{ name: 'feed', parameters: { properties: { what: { enum: ['fish'] } }, required: ['what'] } }];
    const [call] = await nextSteps(model, 'A cat.', tools, { temperature: 0, maxTokens: 600 });
    expect(call).toMatchObject({ name: 'feed', arguments: { what: 'fish' } });
    model.close();
  },
  async images({ loadModel, classify }) {
    const model = await loadModel();
    const classes = await classify(model, new Uint8Array(readFileSync(pictures.parrot)));
    expect(classes.length).toBe(5);
    expect(classes[0].label).toBe('macaw');
    model.close();
  },
  async photos({ loadModel, knowsWords, newIndex, mixed, search }) {
    const model = await loadModel();
    expect(knowsWords(model)).toBe(false);
    const index = newIndex(model.dimension);
    const vectors = {};
    for (const id of ['owl', 'cat', 'hotdog']) {
      vectors[id] = await model.embedImage(new Uint8Array(readFileSync(pictures[id])));
      index.add({ id, vector: vectors[id] });
    }
    expect(search(index, vectors.owl, 1)).toEqual([{ id: 'owl', score: expect.closeTo(1, 4) }]);
    const [best, next] = search(index, mixed(vectors.owl, vectors.cat, 0.6), 2);
    expect([best.id, next.id]).toEqual(['owl', 'cat']);
    model.close();
  },
  async files({ describe, check, valuesOf, convertTo }) {
    const file = new Blob([readFileSync(`${root}tests/fixtures/embd/f32.weights`)]);
    expect((await describe(file)).tensors.length).toBe(37);
    expect((await check(file)).format).toBe('weights');
    expect((await valuesOf(file, 'embeddings.LayerNorm.bias')).shape).toEqual([32]);
    const pieces = [];
    await convertTo(new WritableStream({ write: (piece) => void pieces.push(piece) }), file, { to: 'safetensors' });
    expect((await inspect(new Blob(pieces))).format).toBe('safetensors');
    await expect(check(new Blob([Buffer.from('no model at all')]))).rejects.toMatchObject({ code: 'FORMAT' });
  },
  async benchmark({ loadEmbedder, loadClassifier, embedTokens, embedSentences, classifyPicture }) {
    const tenClasses = `${root}tests/fixtures/cifar10/resnet20-cifar10.bin`;
    const [embedder, classifier] = [await loadEmbedder(1), await loadClassifier(tenClasses, 1)];
    const [vector] = await embedSentences(embedder, ['tides']);
    expect(await embedTokens(embedder, [...(await embedder.tokenize('tides'))])).toEqual(vector);
    expect((await classifyPicture(classifier, new Float32Array(3 * 32 * 32))).length).toBe(10);
    embedder.close();
    classifier.close();
  },
};

test('addresses of the repository become addresses for browsers', () => {
  const address = 'https://github.com/owner/name';
  const spellings = [
    address,
    `${address}.git`,
    `git+${address}.git`,
    'github:owner/name',
    'owner/name',
    { type: 'git', url: `git+${address}.git` },
  ];
  for (const spelling of spellings) expect(webAddress(spelling)).toBe(address);
  for (const other of [
    undefined,
    {},
    'git@github.com:owner/name.git',
    'javascript:alert(1)',
    'https://a.example/"><b>',
  ]) {
    expect(webAddress(other)).toBeUndefined();
  }
  expect(addressOf('docs/cli.md', address)).toBe(`${address}/blob/HEAD/docs/cli.md`);
});

describe.each([chromium, firefox])('in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let origin;
  const { textOf, until } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await origin?.close();
    origin = undefined;
  });

  testOnce.each(pages)('%s shows how to install quintet, the code it runs, and where to read more', async (shown) => {
    await page.goto(`${site.url}${shown}.html`);
    expect(await textOf('#install')).toBe(installLine);
    const named = await page.$$eval('.usage code:not([id])', (found) => found.map((code) => code.textContent));
    const source = named.find((path) => path.startsWith('web/src/'));
    const code = await textOf('#code');
    expect(code).toBe(readFileSync(root + source, 'utf8').trimEnd());
    expect(code.split('\n').length).toBeLessThan(35);

    // It is the page's own: other scripts of the page import it.
    const directory = `${root}${source.slice(0, source.lastIndexOf('/'))}/`;
    const module = source.split('/').at(-1).replace(/\.ts$/, '.js');
    const scripts = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith('.ts'));
    expect(scripts.some((file) => readFileSync(directory + file, 'utf8').includes(`/${module}'`))).toBe(true);

    const links = await page.$$eval('.usage-docs a', (found) => found.map(({ pathname }) => pathname));
    expect(links.length).toBeGreaterThan(1);
    for (const path of links) expect([path, existsSync(`${root}build/web/site${path}`)]).toEqual([path, true]);

    // Nothing is hidden where only a mouse reveals it.
    expect(await page.$$eval('[title]', (found) => found.length)).toBe(0);
    await uses[shown](await run(shown, code));
  });

  test('the install line is copied', async () => {
    await page.goto(`${site.url}search.html`);
    await page.bringToFront();
    await page.focus('[data-copies=install]');
    await page.keyboard.press('Enter');
    await until('#copied', /^Copied\.$/);
    await page.focus('#query');
    await page.keyboard.down('Control');
    await page.keyboard.press('v');
    await page.keyboard.up('Control');
    expect(await page.$eval('#query', ({ value }) => value)).toBe(installLine);
  });

  test('no button can be pressed before its script has arrived', async () => {
    await page.goto(site.url);
    for (const shown of pages.map((page) => `${page}.html`)) {
      const buttons = await page.evaluate(async (address) => {
        const sent = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
        // Those that copy are handled before the page waits for the service worker.
        return [...sent.querySelectorAll('main button:not([data-copies])')].map((button) => ({
          words: button.textContent,
          enabled: !button.disabled && !button.closest('[hidden]'),
        }));
      }, `/${shown}`);
      expect({ shown, enabled: buttons.filter(({ enabled }) => enabled) }).toEqual({ shown, enabled: [] });
    }
  });

  test('keyboard users also learn why it is slower than it could be', async () => {
    origin = await forward(site.url, { without: ['cross-origin-opener-policy', 'cross-origin-embedder-policy'] });
    for (const [shown, status] of [
      ['search.html', '#runtime'],
      ['images.html', '#runtime'],
      ['photos.html', '#runtime'],
    ]) {
      await page.goto(origin.url + shown);
      await page.waitForSelector(`${status} summary`);
      const reasons = () =>
        page.$$eval(`${status} li`, (found) =>
          found.filter((item) => item.checkVisibility()).map((item) => item.textContent),
        );
      expect(await reasons()).toEqual([]);
      await page.focus(`${status} summary`);
      await page.keyboard.press('Enter');
      expect((await reasons()).join()).toMatch(/one thread: .*isolated/i);
    }
  });
});
