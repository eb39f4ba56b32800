// The page of the demo site that inspects, validates and converts files.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, readTensor, validate } from '../../../dist/node.js';
import { embedder } from '../../../models/index.js';
import { brokenFiles, recipesOf } from '../../npm/helpers/broken_files.mjs';
import { readIndependently } from '../../npm/helpers/independent_safetensors.mjs';
import { launchFirefox } from '../browsers.mjs';
import { tasksDuring } from '../page_tasks.mjs';
import { chromium, testOnceIn } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward, transfersOf } from './forwarding.mjs';
import { visitor } from './visitor.mjs';

const fixture = (path) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
const expected = (folder, file) =>
  JSON.parse(readFileSync(fixture(`${folder}/expected.json`), 'utf8')).find((entry) => entry.file === file).expect
    .inspect;
const headerOf = (path) => {
  const bytes = readFileSync(path);
  const { __metadata__, ...tensors } = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString());
  return Object.entries(tensors).map(
    ([
      name,
      {
        dtype,
        shape,
        data_offsets: [begin, end],
      },
    ]) => ({ name, dtype, shape, bytes: end - begin }),
  );
};

/** Files with facts from elsewhere: from the programs that made the fixtures, or from a file with the same weights. */
const files = [
  { path: 'amb/llama-f32.amb', format: /^AMB 1$/, tensors: expected('amb', 'llama-f32.amb').tensors },
  { path: 'alt/f32.alt', format: /^ALT 2$/, tensors: expected('alt', 'f32.alt').tensors },
  {
    path: 'embd/int8-row.weights',
    format: /^\.weights 1\.0 \(EMBD\)$/,
    tensors: expected('embd', 'int8-row.weights').tensors,
  },
  {
    path: 'safetensors/dtypes.safetensors',
    format: /^safetensors$/,
    tensors: expected('safetensors', 'dtypes.safetensors').tensors,
  },
  { path: 'tinyruntime/r18-plain-vanilla.bin', format: /^tinyRuntime \(.*vanilla.*\)$/i },
  {
    path: 'families/qwen2-tied.gguf',
    format: /^GGUF 3$/,
    tensors: headerOf(fixture('families/qwen2-tied/model.safetensors')).map(({ name, shape, bytes }) => ({
      name,
      shape,
      bytes,
    })),
  },
];

let site;
let folder;
beforeAll(async () => {
  site = await serveDemoSite();
  folder = mkdtempSync(join(tmpdir(), 'quintet-files-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const saving = { 'browser.download.folderList': 2 };
const firefox = ['Firefox', () => launchFirefox({ ...saving, 'browser.download.dir': folder })];

describe.each([chromium, firefox])('the files page in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let origin;
  const { textOf, textsOf, click, ready, until, give, pairs } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
    // Its dialog cannot be operated by a program; the tests of writing to disk put a file in its place.
    await page.evaluateOnNewDocument(() => delete globalThis.showSaveFilePicker);
  });
  afterEach(async () => {
    await page.close();
    await origin?.close();
    origin = undefined;
  });

  const open = async (...paths) => {
    await page.goto(`${site.url}files.html`);
    await ready('#choose-folder');
    if (paths.length > 0) await give('#drop input', ...paths);
  };
  const rows = () =>
    page.$$eval('#tensors tr', (found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
  /** 'B', 'kB' and 'MB', rounded as the page shows them. */
  const bytesIn = (words) => Number.parseFloat(words) * { B: 1, kB: 1e3, MB: 1e6 }[words.split(' ')[1]];
  const convert = async (to, quantize = '') => {
    await page.select('#to', to);
    await page.select('#quantize', quantize);
    await click('#start-convert');
  };
  /** The bytes that the page offers to save. */
  const offered = async () => {
    await page.waitForSelector('#converted .notice');
    const text = await page.$eval('#converted a[download]', async ({ href }) => {
      const blob = await (await fetch(href)).blob();
      return new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
      });
    });
    return new Uint8Array(Buffer.from(text.split(',')[1], 'base64'));
  };

  testOnce.each(files)('shows what is in $path, and validates it', async ({ path, format, tensors }) => {
    await open(fixture(path));
    await until('#check', /is valid/);
    const size = readFileSync(fixture(path)).length;
    const facts = await pairs('#facts');
    expect(facts.Format).toMatch(format);
    expect(bytesIn(facts.Size) / size).toBeCloseTo(1, 1);
    const shown = await rows();
    const known = tensors ?? (await inspect(fixture(path))).tensors;
    expect(facts.Tensors).toMatch(new RegExp(`^${known.length},`));
    const ordered = (list) => [...list].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(ordered(shown.map(([tensor, , shape]) => [tensor, shape]))).toEqual(
      ordered(known.map((tensor) => [tensor.name, `[${tensor.shape.join(', ')}]`])),
    );
    const byName = new Map(shown.map((row) => [row[0], row]));
    for (const tensor of known) {
      const [, dtype, , bytes] = byName.get(tensor.name);
      if (tensor.dtype) expect(dtype).toContain(tensor.dtype);
      if (tensor.bytes) expect(bytesIn(bytes) / tensor.bytes).toBeCloseTo(1, 0.9);
      else expect(bytes).toMatch(/B$/);
    }
  });

  testOnce('filters the tensors and shows their values', async () => {
    await open(fixture('safetensors/dtypes.safetensors'));
    await page.waitForSelector('#tensors tr');
    await page.type('#filter', 'F16');
    expect(await textsOf('#tensors th')).toEqual(['bf16', 'f16']);
    await click('#tensors tr:last-child button');
    await until('#values', /Largest/);
    // 1, 65504, 2^-24 and -2, as tests/fixtures/safetensors has them.
    expect(await pairs('#values dl')).toMatchObject({
      Smallest: '-2',
      Largest: '65504',
      Mean: '16375.8',
      'Not finite': '0',
    });
    expect((await pairs('#values dl')).First).toBe('1, 65504, 5.96046e-8, -2');
  });

  test('accepts a dropped file, works by keyboard, and its controls have names', async () => {
    await open();
    const content = readFileSync(fixture('embd/f32.weights')).toString('base64');
    await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'dropped.weights'));
      document
        .querySelector('main')
        .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, content);
    await until('#check', /dropped\.weights is valid/);
    expect(await page.evaluate(() => document.activeElement.textContent)).toBe('dropped.weights');
    const unnamed = await page.$$eval('main :is(a, button, input, select, [tabindex="0"])', (controls) =>
      controls
        .filter((control) => control.checkVisibility())
        .filter(
          (it) =>
            !it.ariaLabel &&
            !it.textContent.trim() &&
            ![...(it.labels ?? [])].some((label) => label.textContent.trim()),
        )
        .map((it) => it.outerHTML),
    );
    expect(unnamed).toEqual([]);
    await page.focus('#tensors button');
    await page.keyboard.press('Enter');
    await until('#values', /Mean/);
    await page.focus('#fields summary');
    await page.keyboard.press('Enter');
    expect(await page.$eval('#fields dl', (list) => list.checkVisibility())).toBe(true);
    expect(await pairs('#fields dl')).toMatchObject({ model_name: 'tiny-bert-public', vocab_size: '420' });
  });

  testOnce('converts to safetensors with the very values of the source', async () => {
    await open(fixture('embd/f32.weights'));
    await page.waitForSelector('#tensors tr');
    await convert('safetensors');
    const file = await offered();
    expect(await textOf('#converted')).toMatch(/f32\.safetensors, 1\d\d kB.*Read back: it is valid/);
    const source = readFileSync(fixture('embd/f32.weights'));
    const read = readIndependently(file);
    const { tensors } = expected('embd', 'f32.weights');
    expect(tensors.length).toBe(37);
    for (const { name: tensor, offset, bytes } of tensors) {
      expect(Buffer.from(read.getTensor(tensor)).equals(source.subarray(offset, offset + bytes))).toBe(true);
    }
  });

  test('quantizes, saves the file, and opens it', async () => {
    if (name === 'Chromium') {
      const session = await browser.target().createCDPSession();
      const where = { downloadPath: folder, eventsEnabled: true };
      await session.send('Browser.setDownloadBehavior', { behavior: 'allow', ...where });
    }
    await open(fixture('amb/llama-f32.amb'));
    await page.waitForSelector('#tensors tr');
    await page.select('#to', 'amb');
    expect(await page.$eval('#group-size', ({ disabled }) => disabled)).toBe(true);
    await page.select('#quantize', 'int4block');
    await page.$eval('#group-size', (field) => (field.value = '16'));
    await click('#start-convert');
    const file = await offered();
    await click('#converted a[download]');
    const saved = join(folder, 'llama-f32-converted.amb');
    while (!existsSync(saved) || readFileSync(saved).length < file.length) {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    expect(new Uint8Array(readFileSync(saved))).toEqual(file);
    rmSync(saved);
    const { format, tensors } = await validate(file);
    expect(format).toBe('amb');
    // Two layers of seven matrices, the embeddings and the head.
    expect(tensors.filter(({ dtype, block }) => dtype === 'INT4BLOCK' && block === 16).length).toBe(16);
    await click('#converted button');
    await until('#file-name', /^llama-f32-converted\.amb$/);
    await until('#check', /is valid/);
    expect((await rows()).filter(([, dtype]) => dtype.startsWith('INT4BLOCK')).length).toBe(16);
  });

  testOnce('converts the files of a Hugging Face model', async () => {
    const weights = fixture('families/qwen2-tied/model.safetensors');
    await open(fixture('families/qwen2-tied/config.json'), weights);
    await until('#check', /model\.safetensors is valid/);
    expect((await pairs('#facts')).Format).toBe('Hugging Face folder');
    expect((await rows()).length).toBe(headerOf(weights).length);
    await convert('amb', 'none');
    const file = await offered();
    const source = readIndependently(readFileSync(weights));
    for (const { name: tensor } of headerOf(weights)) {
      const { data } = await readTensor(file, tensor);
      const known = source.getTensor(tensor);
      expect(Buffer.from(data.buffer, data.byteOffset, data.byteLength).equals(Buffer.from(known))).toBe(true);
    }
  });

  if (name === 'Chromium') {
    test('leaves the page free while it reads, checks and converts', async () => {
      await open();
      const tasks = await tasksDuring(page, async () => {
        await give('#drop input', fileURLToPath(embedder));
        await until('#check', /is valid/);
        await click('#tensors button');
        await until('#values', /Mean/);
        await convert('safetensors', 'none');
        await until('#converted', /it is valid/);
      });
      expect(tasks.length).toBeGreaterThan(100);
      expect(Math.max(...tasks)).toBeLessThan(50);
    });

    test('accepts a dropped folder', async () => {
      await open();
      const session = await page.createCDPSession();
      const data = { items: [], files: [fixture('families/qwen3')], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop']) {
        await session.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
      }
      await until('#check', /model\.safetensors is valid/);
      expect((await pairs('#facts')).Format).toBe('Hugging Face folder');
      expect((await rows()).length).toBe(headerOf(fixture('families/qwen3/model.safetensors')).length);
    });
  }

  testOnce.each([
    ['amb', 'bad-ambq-crc', 'checksum'],
    ['alt', 'bad-alt-end', 'malformed'],
    ['weights', 'bad-flat-name-utf8', 'invalid_utf8'],
    ['safetensors', 'bad-st-header-3e1', 'trailing'],
    ['tinyruntime', 'bad-tiny-vanilla-bn0-size', 'mismatch'],
  ])('says where a broken %s file is wrong', async (format, id, reason) => {
    const recipe = recipesOf(format).find((one) => one.id === id);
    const [broken] = brokenFiles(recipe);
    const path = join(folder, `broken.${format}`);
    writeFileSync(path, broken);
    const error = await validate(path).catch((caught) => caught);
    await open(path);
    await page.waitForSelector('.notice.bad');
    const facts = await pairs('.notice.bad dl');
    expect(facts).toMatchObject({
      Code: `FORMAT, ${reason}`,
      Format: format,
      Byte: recipe.offset.toLocaleString('en'),
    });
    expect(await page.$eval('.notice.bad code', (element) => [element.textContent, element.checkVisibility()])).toEqual(
      [error.message, true],
    );
  });

  testOnce('rejects files that are not models, and impossible conversions', async () => {
    await open(fixture('images/gradient.png'));
    await until('#problem', /gradient\.png could not be opened.*bad_magic/);
    expect(await page.$eval('#opened', ({ hidden }) => hidden)).toBe(true);
    await give('#drop input', fixture('amb/llama-f32.amb'), fixture('alt/f32.alt'));
    await until('#problem', /2 files, and none of them is a config\.json/);
    await give('#drop input', fixture('safetensors/dtypes.safetensors'));
    await page.waitForSelector('#tensors tr');
    expect(await textOf('#problem')).toBe('');
    await convert('tinyruntime');
    await until('#converted', /The conversion failed/);
    await ready('#start-convert');
  });

  /** Presses a button as soon as a conversion has begun, and keeps in `shownAfter` the progress shown from then on. */
  const cancelSoon = () =>
    page.evaluate(() => {
      const shown = document.querySelector('#converting');
      globalThis.shownAfter = undefined;
      const observer = new MutationObserver(() => {
        if (globalThis.shownAfter) return globalThis.shownAfter.push(shown.textContent);
        if (!/Converting/.test(shown.textContent)) return;
        globalThis.shownAfter = [];
        document.querySelector('#stop-convert').click();
      });
      observer.observe(shown, { childList: true, subtree: true, characterData: true });
    });

  test('a canceled conversion saves nothing, and the next one works', async () => {
    await open(fileURLToPath(embedder));
    await page.waitForSelector('#tensors tr');
    await cancelSoon();
    await convert('safetensors', 'none');
    await until('#converted', /^Canceled\. Nothing was saved\.$/);
    expect(await page.$('#converted a')).toBeNull();
    // Not even read back: the conversion ended early.
    expect((await page.evaluate(() => globalThis.shownAfter)).join()).not.toMatch(/Reading/);
    await ready('#start-convert');
    await convert('weights', 'int8-group');
    await until('#converted', /embedder-int8-converted\.weights.*it is valid/);
  });

  test('writes straight to disk where pages may', async () => {
    // The dialog's answer is a file of the origin's own file system: the handle and its stream are the browser's.
    await page.evaluateOnNewDocument(() => {
      globalThis.showSaveFilePicker = async ({ suggestedName }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
    });
    const inOrigin = () =>
      page.evaluate(async () => {
        const found = {};
        for await (const [entry, handle] of await navigator.storage.getDirectory()) {
          found[entry] = [...new Uint8Array(await (await handle.getFile()).arrayBuffer())];
        }
        return found;
      });
    await open(fixture('alt/f32.alt'));
    await page.waitForSelector('#tensors tr');
    await convert('alt', 'int8');
    await until('#converted', /f32-converted\.alt.*Saved and read back: it is valid/);
    const saved = await inOrigin();
    expect(Object.keys(saved)).toEqual(['f32-converted.alt']);
    expect((await validate(new Uint8Array(saved['f32-converted.alt']))).tensors.length).toBe(21);

    await cancelSoon();
    await convert('safetensors', 'none');
    await until('#converted', /^Canceled/);
    const left = Object.entries(await inOrigin()).filter(([, bytes]) => bytes.length > 0);
    expect(left.map(([file]) => file)).toEqual(['f32-converted.alt']);
  });

  testOnce('opens a bundled model, and loads less than 320 KB without it', async () => {
    origin = await forward(site.url);
    await page.goto(`${origin.url}files.html`);
    await ready('#samples [value=classifier]');
    await click('#samples [value=classifier]');
    await until('#check', /^mobilenet_v2_imagenet\.safetensors is valid/);
    const bytes = transfersOf(origin, '/files.html')
      .filter(({ path }) => !path.endsWith('.safetensors'))
      .reduce((sum, transfer) => sum + transfer.bytes, 0);
    expect(bytes).toBeGreaterThan(150_000);
    expect(bytes).toBeLessThan(320_000);
  });
});
