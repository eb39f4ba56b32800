// The photo search of the demo site, as visitors use it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ImageEmbedder } from '../../../dist/node.js';
import { pictures } from '../../../models/index.js';
import { site as siteFolder } from '../../../web/building/paths.mjs';
import { launch } from '../browsers.mjs';
import { openWatchedPage } from '../origins.mjs';
import { tasksDuring } from '../page_tasks.mjs';
import { chromium, firefox, testOnceIn } from '../pages.mjs';
import { recordingProxy } from '../recording_proxy.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward, transfersOf } from './forwarding.mjs';
import { visitor } from './visitor.mjs';

const clip = fileURLToPath(new URL('../../fixtures/vision/clip-hf-sparse/', import.meta.url));
// The folder also has inputs and what was computed of them.
const clipFiles = readdirSync(clip)
  .filter((name) => !name.endsWith('.u8'))
  .map((name) => clip + name);
const photos = Object.values(pictures).map((url) => fileURLToPath(url));
const catPath = fileURLToPath(pictures.cat);

let site;
let folder;
beforeAll(async () => {
  site = await serveDemoSite();
  folder = mkdtempSync(join(tmpdir(), 'quintet-photos-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A smaller copy of the cat, as a phone would send it. */
async function smallCat(page) {
  const bytes = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width * 0.7, bitmap.height * 0.7);
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const small = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.7 });
    return [...new Uint8Array(await small.arrayBuffer())];
  }, readFileSync(catPath).toString('base64'));
  const path = join(folder, 'small-cat.jpg');
  writeFileSync(path, Buffer.from(bytes));
  return path;
}

/** The actions of a visitor on the page that `current` returns. */
function photoVisitor(current) {
  const { until, give, ...others } = visitor(current);
  const tiles = (list = '#photos') =>
    current().$$eval(`${list} .tile`, (all) =>
      all.map((tile) => ({ path: tile.dataset.path, score: Number(tile.querySelector('.score').textContent) })),
    );
  const set = (selector, value) =>
    current().$eval(
      selector,
      (input, given) => {
        input.value = given;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      },
      value,
    );
  return {
    ...others,
    until,
    give,
    tiles,
    set,
    choose: (...paths) => give('#pictures input', ...paths),
    untilTiles: (count) =>
      current().waitForFunction((wanted) => document.querySelectorAll('#photos .tile').length === wanted, {}, count),
    pick: (path) => current().$eval(`#photos [data-path="${path}"]`, (tile) => tile.click()),
    async useClip() {
      await give('#model-files', ...clipFiles);
      await until('#runtime', /pictures and words/);
    },
  };
}

describe.each([chromium, firefox])('the photos page in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let origin;
  let closeHome;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  // An origin for each test: nothing has been kept for it.
  beforeEach(async () => {
    origin = await forward(site.url);
    ({ page, closeHome } = await openWatchedPage(browser));
  });
  afterEach(async () => {
    await closeHome(origin.url);
    await origin.close();
  });

  const visit = photoVisitor(() => page);
  const { textOf, click, until, tiles, set, choose, untilTiles, pick, useClip, controlNames } = visit;
  const open = async () => {
    await page.goto(`${origin.url}photos.html`);
    await until('#runtime', /pictures only/);
  };

  test('finds similar pictures and duplicates, and lists files that are not pictures', async () => {
    await open();
    expect(await page.$eval('#words', ({ disabled }) => disabled)).toBe(true);
    expect(await textOf('#words-hint')).toMatch(/such as CLIP/);
    const broken = join(folder, 'broken.jpg');
    writeFileSync(broken, 'no picture');
    await choose(...photos, broken, await smallCat(page));
    await until('#indexing-told', /8 pictures indexed in .*1 file could not be read/);
    expect(await textOf('#broken')).toMatch(/1 file was skipped.*broken\.jpg: The file is not valid\./);
    await untilTiles(8);

    await pick('cat.jpg');
    await until('#found', /The best 7 of 8 pictures, by picture/);
    const [best, ...others] = await tiles();
    expect(best.path).toBe('small-cat.jpg');
    expect(best.score).toBeGreaterThan(0.85);
    expect(others.map(({ score }) => score)).toEqual(others.map(({ score }) => score).sort((a, b) => b - a));
    expect(others[0].score).toBeLessThan(0.7);
    expect(await page.evaluate(() => document.activeElement.id)).toBe('clear-like');

    await set('#threshold', '85');
    await click('#find-duplicates');
    await until('#duplicates-told', /^1 group, 2 pictures\.$/);
    expect((await tiles('#groups')).map(({ path }) => path).sort()).toEqual(['cat.jpg', 'small-cat.jpg']);
    expect(await controlNames()).not.toContain('');

    // The keyboard works, too.
    const focused = () =>
      page.evaluate(() => [...document.querySelectorAll('#photos .tile')].indexOf(document.activeElement));
    await page.focus('#photos .tile');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(1);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBeGreaterThan(2);
    await page.keyboard.press('End');
    expect(await focused()).toBe(6);
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await until('#like-name', /^small-cat\.jpg$/);
    await click('#clear-like');
    await until('#found', /^8 pictures, the newest first\.$/);
    await visit.give('#like-file', fileURLToPath(pictures.owl));
    await until('#found', /by picture/);
    expect((await tiles())[0]).toEqual({ path: 'owl.jpg', score: expect.closeTo(1, 2) });
  });

  test('a reload keeps the pictures, and embeds only what is new', async () => {
    await open();
    await choose(...photos);
    await until('#indexing-told', /7 pictures indexed/);
    await page.reload();
    await untilTiles(7);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#photos img')].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
    );
    // The index is searched whether or not the model is there by now.
    await pick('owl.jpg');
    await until('#found', /The best 6 of 7 pictures, by picture/);
    await until('#runtime', /pictures only/);
    await choose(...photos, await smallCat(page));
    await until('#indexing-told', /^1 picture indexed/);
    await click('#forget');
    await untilTiles(0);
    await page.reload();
    await until('#found', /There are no pictures yet/);
  });

  testOnce('a model from elsewhere is recognized by its results: its index already exists', async () => {
    await open();
    await choose(...photos);
    await until('#indexing-told', /7 pictures indexed/);
    const file = readdirSync(`${siteFolder}assets`).find((each) => /^mobilenet.*\.safetensors$/.test(each));
    await page.$eval('#named-model input', (input, url) => (input.value = url), `${origin.url}assets/${file}`);
    await page.$eval('#named-model', (form) => form.requestSubmit());
    await until('#named-model [role=status]', /It downloads 3\.9 MB/);
    await click('#named-model [role=status] button');
    await page.waitForSelector('#bundled:not([hidden])');
    await until('#indexing-told', /Nothing is new/);
    // It is the model of the next visit, too.
    await page.reload();
    await untilTiles(7);
    await page.waitForSelector('#bundled:not([hidden])');
    await until('#runtime', /pictures only/);
  });

  testOnce('can be stopped and resumed', async () => {
    await open();
    await page.evaluate(() => {
      globalThis.said = [];
      new MutationObserver((_, observer) => {
        const words = document.querySelector('#indexing .words span:last-child')?.textContent ?? '';
        globalThis.said.push(words);
        if (!/^2 of 7/.test(words)) return;
        observer.disconnect();
        document.querySelector('#stop').click();
      }).observe(document.querySelector('#indexing'), { childList: true, characterData: true, subtree: true });
    });
    await choose(...photos);
    await until('#indexing-told', /^Stopped after [23] of 7 pictures\.$/);
    expect(await page.evaluate(() => globalThis.said)).toContainEqual(
      expect.stringMatching(/^2 of 7, [\d.,]+ per second, \d+ s left$/),
    );
    await click('#go-on');
    await until('#indexing-told', /^[45] pictures indexed/);
    await untilTiles(7);
  });

  testOnce('searches by words, and by words and a picture, with a model from files', async () => {
    const embedder = await ImageEmbedder.load(clip);
    const vectors = await embedder.embedImage(photos.map((path) => new Uint8Array(readFileSync(path))));
    const asked = await embedder.embedText('a photo of a cat');
    embedder.close();
    const cosines = vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * asked[i], 0));

    await open();
    await useClip();
    await choose(...photos);
    await until('#indexing-told', /7 pictures indexed/);
    await page.type('#words', 'a photo of a cat');
    await until('#found', /The best 7 of 7 pictures, by words\./);
    const byWords = await tiles();
    expect(byWords.map(({ score }) => score)).toEqual(byWords.map(({ score }) => score).sort((a, b) => b - a));
    // Decoders of JPEG differ a little.
    for (const [i, path] of photos.entries()) {
      const found = byWords.find((tile) => path.endsWith(`/${tile.path}`));
      expect(Math.abs(found.score - cosines[i])).toBeLessThan(0.03);
    }

    await pick('owl.jpg');
    await until('#found', /by words and picture/);
    const both = await tiles();
    await set('#weight', '100');
    await page.waitForFunction(
      (score) => Number(document.querySelector('#photos .score').textContent) !== score,
      {},
      both[0].score,
    );
    const withoutOwl = byWords.filter(({ path }) => path !== 'owl.jpg');
    expect(await tiles()).toEqual(withoutOwl);
    await click('#clear-like');
    await until('#found', /by words\./);
    expect(await tiles()).toEqual(byWords);

    // Each model has its own index. The pictures of this visit are embedded at once.
    await click('#bundled');
    await until('#runtime', /pictures only/);
    await until('#indexing-told', /7 pictures indexed/);
    await useClip();
    await until('#indexing-told', /Nothing is new/);
    await until('#found', /by words\./);

    await page.reload();
    await untilTiles(7);
    await until('#words-hint', /Choose its files again/);
    await pick('owl.jpg');
    await until('#found', /The best 6 of 7 pictures, by picture/);
    await useClip();
    await page.waitForSelector('#words:not([disabled])');
  });

  test('scans a folder again after a reload, for new and deleted files', async () => {
    // The browser's dialog cannot be operated: a folder of the page's own storage stands for one on the disk.
    await page.evaluateOnNewDocument(() => {
      window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('trip');
    });
    const write = (path, photo) =>
      page.evaluate(
        async (steps, base64) => {
          let directory = await navigator.storage.getDirectory();
          for (const step of steps.slice(0, -1)) directory = await directory.getDirectoryHandle(step, { create: true });
          const file = await directory.getFileHandle(steps.at(-1), { create: true });
          const stream = await file.createWritable();
          await stream.write(await (await fetch(`data:image/jpeg;base64,${base64}`)).blob());
          await stream.close();
        },
        path.split('/'),
        readFileSync(fileURLToPath(pictures[photo])).toString('base64'),
      );
    await open();
    await write('trip/owl.jpg', 'owl');
    await write('trip/second day/cat.jpg', 'cat');
    await write('trip/.thumbnails/cat.jpg', 'cat');
    await click('#open-folder');
    await until('#indexing-told', /^2 pictures indexed/);
    await untilTiles(2);
    expect((await tiles()).map(({ path }) => path).sort()).toEqual(['trip/owl.jpg', 'trip/second day/cat.jpg']);

    await page.reload();
    await untilTiles(2);
    await until('#known-folders', /Look for new pictures in trip/);
    await until('#runtime', /pictures only/);
    await write('trip/third day/bird.jpg', 'bird');
    await page.evaluate(async () => {
      const trip = await (await navigator.storage.getDirectory()).getDirectoryHandle('trip');
      await trip.removeEntry('owl.jpg');
    });
    await click('#known-folders button');
    await until('#indexing-told', /^1 picture indexed/);
    await untilTiles(2);
    const paths = (await tiles()).map(({ path }) => path).sort();
    expect(paths).toEqual(['trip/second day/cat.jpg', 'trip/third day/bird.jpg']);
  });

  testOnce('loads less than 300 KB, without the model', async () => {
    await open();
    const isModel = ({ path }) => path.endsWith('.safetensors');
    const transfers = transfersOf(origin, '/photos.html');
    expect(transfers.filter(isModel)).toHaveLength(1);
    const files = transfers.filter((transfer) => !isModel(transfer));
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(300_000);
  });

  if (name === 'Chromium') {
    test('leaves the page free while it indexes', async () => {
      await open();
      const tasks = await tasksDuring(page, async () => {
        await choose(...photos);
        await until('#indexing-told', /7 pictures indexed/);
        await untilTiles(7);
      });
      expect(tasks.length).toBeGreaterThan(50);
      expect(Math.max(...tasks)).toBeLessThan(50);
    });
  }
});

/** Chromium's own requests, at any time; the proxy blocks them all. */
const ofBrowser = /[./](google|googleapis|gstatic|gvt1)\.com(:\d+)?$/;

test('nothing leaves the device: a proxy sees the files of the site being fetched, and nothing else', async () => {
  const proxy = await recordingProxy(site.url);
  const browser = await launch(`--proxy-server=http://${proxy.address}`, '--proxy-bypass-list=<-loopback>');
  try {
    const { page, closeHome } = await openWatchedPage(browser);
    const { until, choose, untilTiles, click, useClip } = photoVisitor(() => page);
    await page.goto(`${site.url}photos.html`);
    await until('#runtime', /pictures only/);
    await useClip();
    await choose(...photos);
    await until('#indexing-told', /7 pictures indexed/);
    await page.type('#words', 'a photo of a cat');
    await until('#found', /by words\./);
    await click('#find-duplicates');
    await until('#duplicates-told', /group|No pictures/);
    await page.reload();
    await untilTiles(7);
    await closeHome(site.url);
  } finally {
    await browser.close();
    await proxy.close();
  }
  const requests = proxy.requests.filter(({ origin }) => !ofBrowser.test(origin));
  expect(requests.length).toBeGreaterThan(5);
  const { origin } = new URL(site.url);
  const isFetchOfSite = (request) => request.origin === origin && request.method === 'GET' && request.bytes === 0;
  expect(requests.filter((request) => !isFetchOfSite(request))).toEqual([]);
});
