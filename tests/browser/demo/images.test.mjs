// The image classifier of the demo site, as visitors use it.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { classifier, pictures } from '../../../models/index.js';
import { site as siteFolder } from '../../../web/building/paths.mjs';
import { launch, launchFirefox } from '../browsers.mjs';
import { openWatchedPage } from '../origins.mjs';
import { testOnceIn } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { visitor } from './visitor.mjs';

const fixture = (path) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const drawing = (name) => fixture(`cifar10/drawings/${name}.png`);

let site;
let downloads;
beforeAll(async () => {
  site = await serveDemoSite();
  downloads = mkdtempSync(join(tmpdir(), 'quintet-images-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(downloads, { recursive: true, force: true });
});

const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

describe.each([
  ['Chromium', () => launch(...camera)],
  ['Firefox', () => launchFirefox()],
])('%s', (browserName, launchBrowser) => {
  const testOnce = testOnceIn(browserName);
  let browser;
  let page;
  let closeHome;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, closeHome } = await openWatchedPage(browser));
  });
  afterEach(async () => {
    await closeHome(site.url);
  });

  const { textOf, click, ready, until, give, controlNames } = visitor(() => page);
  const nameClass = (label) => page.$eval('#own-name', (input, given) => (input.value = given), label);
  const isShown = (label) => until('#answer li:first-child .name', new RegExp(`^${label}$`));
  const openImages = async () => {
    await page.goto(`${site.url}images.html`);
    await ready('#camera');
  };

  test('classifies the photographs', async () => {
    await openImages();
    for (const [photo, label] of Object.entries({ cat: 'Egyptian cat', parrot: 'macaw', bird: 'chickadee' })) {
      await click(`.sample[data-name=${photo}]`);
      await isShown(label);
    }
    expect(await page.$$('#answer li')).toHaveLength(5);
    expect(await textOf('#speed')).toMatch(/\d ms, including decoding/);
    expect(await controlNames()).not.toContain('');
  });

  test('classifies a file, and names the files that are not pictures', async () => {
    await openImages();
    await give('#pictures input', fileURLToPath(pictures.parrot));
    await isShown('macaw');
    await give('#pictures input', fixture('storyteller/expected_greedy_200.txt'));
    await until('#problem', /the classifier could not be loaded/);
    await give('#own-model', fixture('malformed/noise.bin'));
    await until('#problem', /noise\.bin could not be loaded/);
    // Its name is that of a picture, not a model: the current model classifies it.
    await give('#own-model', fileURLToPath(pictures.cat));
    await isShown('Egyptian cat');
    expect(await textOf('#problem')).toBe('');
  });

  testOnce('another model, from its file, classifies the picture', async () => {
    await openImages();
    await give('#pictures input', drawing('frog'));
    await isShown('.+');
    await give('#own-model', fixture('cifar10/resnet20-cifar10.bin'));
    await isShown('class 6');
    expect(await textOf('#runtime')).toMatch(/sees 32 x 32.*10 classes/);
    await click('#bundled');
    await until('#runtime', /1,001 classes/);
    await give('#own-model', fileURLToPath(classifier));
    await until('#runtime', /1,001 classes/);
    await give('#pictures input', fileURLToPath(pictures.cat));
    await isShown('Egyptian cat');
  });

  testOnce('another model is inspected by its URL, and then used', async () => {
    await openImages();
    const file = readdirSync(`${siteFolder}assets`).find((each) => /^classifier-.*\.bin$/.test(each));
    await page.$eval('#named-model input', (input, url) => (input.value = url), `${site.url}assets/${file}`);
    await page.$eval('#named-model', (form) => form.requestSubmit());
    await until('#named-model [role=status]', /It downloads 272 kB/);
    await click('#named-model [role=status] button');
    await until('#runtime', /10 classes/);
    await give('#pictures input', drawing('frog'));
    await isShown('class 6');
  });

  test('classifies many pictures, and lists files that are not pictures', async () => {
    await openImages();
    const broken = join(downloads, 'broken.jpg');
    writeFileSync(broken, 'no picture');
    const files = [fileURLToPath(pictures.cat), broken, fileURLToPath(pictures.hotdog)];
    await give('#pictures input', ...files);
    await until('#batch-summary', /^3 pictures in \d/);
    const rows = await page.$$eval('#batch-rows tr', (found) =>
      found.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    expect(rows.map(([, file]) => file)).toEqual(['cat.jpg', 'broken.jpg', 'hotdog.jpg']);
    expect(rows[0].slice(2, 4)).toEqual(['Egyptian cat', expect.stringMatching(/^9\d %$/)]);
    expect(rows[1][2]).toBe('The file is not valid.');
    expect(rows[2][2]).toBe('hotdog, hot dog, red hot');
    expect(await page.$eval('#save-batch', ({ hidden }) => hidden)).toBe(false);
  });

  testOnce('learns two classes from pictures, and drops them with the model', async () => {
    await openImages();
    const teach = async (label, ...photos) => {
      await nameClass(label);
      await give('#own-pictures', ...photos.map((photo) => fileURLToPath(pictures[photo])));
      await until('#own-classes', new RegExp(`${label}: ${photos.length} picture`));
    };
    await teach('feathers', 'owl', 'parrot');
    await until('#teaching-told', /second class/);
    await teach('plants', 'sunflower');
    await give('#pictures input', fileURLToPath(pictures.bird));
    await isShown('feathers');
    await click('#use-own');
    await isShown('chickadee');
    await give('#own-model', fixture('cifar10/resnet20-cifar10.bin'));
    await until('#runtime', /10 classes/);
    expect(await textOf('#own-classes')).toBe('');
  });

  if (browserName === 'Chromium') {
    test('classifies a pasted picture', async () => {
      await browser
        .defaultBrowserContext()
        .overridePermissions(new URL(site.url).origin, ['clipboard-sanitized-write']);
      await openImages();
      await page.bringToFront();
      // The clipboard accepts PNG.
      await page.$eval('.sample[data-name=parrot] img', async (image) => {
        await image.decode();
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
        canvas.getContext('2d').drawImage(image, 0, 0);
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })]);
      });
      await page.keyboard.down('Control');
      await page.keyboard.press('v');
      await page.keyboard.up('Control');
      await isShown('macaw');
    });

    test('watches the camera until it is stopped', async () => {
      await openImages();
      await click('#camera');
      await until('#speed', /picture.* per second/);
      expect(await page.$eval('#video', ({ srcObject }) => srcObject.active)).toBe(true);
      expect(await page.$$('#answer li')).toHaveLength(5);
      await click('#stop-camera');
      expect(await page.$eval('#video', ({ srcObject }) => srcObject)).toBeNull();
      await ready('#camera');
    });

    test('learns what the camera shows', async () => {
      await openImages();
      await nameClass('the test picture');
      await click('#shoot');
      await until('#own-classes', /the test picture: 10 pictures/);
      await nameClass('cats');
      await give('#own-pictures', fileURLToPath(pictures.cat));
      await until('#own-classes', /cats: 1 picture/);
      await isShown('the test picture');
      await click('#stop-camera');
    });
  } else {
    test('reports that there is no camera', async () => {
      await openImages();
      await click('#camera');
      await until('#problem', /No camera was found/);
      await ready('#camera');
    });
  }
});
