// Models by name, one click each, on the pages that suggest them: from a small Hub that has files of the real names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storyteller } from '../../../models/index.js';
import { labelFolder } from '../../npm/label/label_folders.mjs';
import { chromium, firefox, testOnceIn, webKit } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward } from './forwarding.mjs';
import { smallHub } from './small_hub.mjs';
import { visitor } from './visitor.mjs';

let site;
let hub;
let folder;
beforeAll(async () => {
  site = await serveDemoSite();
  hub = await smallHub();
  folder = mkdtempSync(join(tmpdir(), 'quintet-files-'));
});
afterAll(async () => {
  await site?.close();
  await hub?.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name, content) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe.each([chromium, firefox])('in %s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let origin;
  const { textOf, textsOf, click, ready, until, give } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  // An origin for each test: nothing has been kept for it.
  beforeEach(async () => {
    origin = await forward(site.url, { hub: hub.endpoint });
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await origin.close();
  });

  const open = (name) => page.goto(`${origin.url}${name}.html`);
  const set = (selector, value) =>
    page.$eval(
      selector,
      (control, given) => {
        control.value = given;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      },
      value,
    );
  const use = async (name) => {
    await page.waitForSelector('.model button');
    await click(`[aria-label="Use ${name}"]`);
  };

  test('chat opens with three models as cards; one click loads one, and it is kept', async () => {
    await open('chat');
    await page.waitForSelector('.model .fits:is(.good, .bad, .warn)');
    expect(await textsOf('.model h3')).toEqual(['SmolLM2 360M', 'Qwen3 0.6B', 'Qwen2.5 1.5B']);
    for (const card of await textsOf('.model:has(h3)'))
      expect(card).toMatch(
        /Download[\d.]+ [MG]BMemoryfrom [\d.]+ [MG]BLicenseApache 2\.0.*(device|computers|storage|phone)/,
      );
    expect(await page.$eval('#talk', ({ hidden }) => hidden)).toBe(true);
    await use('SmolLM2 360M');
    await ready('#send');
    expect(await textOf('#runtime')).toMatch(/SmolLM2 360M.*8,192 tokens/);
    expect(await page.$eval('#models', ({ open: isOpen }) => isOpen)).toBe(false);
    await set('#max-tokens', '5');
    await set('#message', 'Hello');
    await click('#send');
    await until('#speed', /token/);
    expect((await textsOf('.message.user .said'))[0]).toBe('Hello');

    // The next visit needs no Hub.
    await open('chat');
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await use('SmolLM2 360M');
    await ready('#send');
    expect(asked.filter((url) => url.includes('/resolve/'))).toEqual([]);
  });

  testOnce('cards show whether the device has the memory', async () => {
    await page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, 'deviceMemory', { get: () => 2 });
      navigator.storage.estimate = () => Promise.resolve({ quota: 5e9, usage: 0 });
    });
    await open('chat');
    await page.waitForSelector('.model .fits:is(.good, .bad, .warn)');
    // Half of 2 GiB is 1.07 GB.
    expect(await textsOf('.model .fits')).toEqual([
      'Fits this device',
      'Too large for this device',
      'Too large for this device',
    ]);
  });

  testOnce('a model that is not on the Hub is reported, and another one can be chosen', async () => {
    await open('chat');
    hub.plans.push({ at: '/api/models/Qwen/Qwen3-0.6B', status: 404, headers: {}, body: '{}' });
    hub.plans.push({ at: '/Qwen/Qwen3-0.6B', status: 404, headers: {}, body: '{}' });
    await use('Qwen3 0.6B');
    await until('#problem', /Qwen3 0\.6B could not be loaded/);
    hub.plans.length = 0;
    await use('Qwen2.5 1.5B');
    await ready('#send');
  });

  testOnce('files are asked: each sentence of the answer cites a passage, and a citation opens it', async () => {
    await open('documents');
    await page.waitForSelector('#own-model input');
    const html = `<nav>Menu</nav><main><h1>Bees</h1><p>The hive by the pond makes <b>honey</b> in spring.</p>
      <script>document.title = 'harmed'</script></main>`;
    await give('#own-files input', write('bees.html', html), write('notes.md', '# Bread\n\nYeast makes dough rise.\n'));
    await until('#said', /2 passages/);
    expect(await textsOf('#files-list li')).toEqual(['bees.html', 'notes.md']);
    await page.focus('#question');
    await page.keyboard.type('what do insects make that is sweet');
    await page.keyboard.press('Enter');
    await until('#answer-state', /Choose a model below/);
    const passages = () => textsOf('#passages summary');
    expect(await passages()).toEqual(['[1] Bees bees.html', '[2] Bread notes.md, line 3']);
    expect(await textOf('#passage-1 p')).toBe('The hive by the pond makes honey in spring.');

    await give('#own-model input', fileURLToPath(storyteller));
    await until('#answer-state', /Answered in/);
    const answer = await textOf('#answer');
    const [, number] = /^[^[\]]{8,}[.!?] \[([12])\]/.exec(answer);
    await page.focus('.cite');
    await page.keyboard.press('Enter');
    expect(await page.$eval(`#passage-${number}`, (passage) => passage.open)).toBe(true);
    expect(await page.evaluate(() => document.activeElement.parentElement.id)).toBe(`passage-${number}`);

    await click('#clear');
    expect(await passages()).toEqual([]);
    await give('#own-files input', write('empty.txt', ' '));
    await until('#problem', /contains no text/);
  });

  testOnce('a text is labelled, and its entities are marked where they are', async () => {
    await open('labels');
    await page.waitForSelector('#classifier .chip');
    const byName = async (host) => {
      await click(`${host} .chip`);
      await page.waitForSelector(`${host} .named-model .primary`);
      await click(`${host} .named-model .primary`);
    };
    await byName('#classifier');
    await until('#label-state', /2 labels in/);
    expect((await textsOf('#label-list li > span:first-child')).sort()).toEqual(['NEGATIVE', 'POSITIVE']);
    const shares = (await textsOf('#label-list .number')).map((text) => Number.parseInt(text, 10));
    expect(shares[0] + shares[1]).toBeGreaterThan(98);

    // A model of which each word is an entity.
    const files = labelFolder('bert', { labels: ['PER', 'LOC'], perToken: true });
    await give('#detector input[type=file]', ...Object.entries(files).map(([name, bytes]) => write(name, bytes)));
    await until('#entity-state', /mark/);
    const text = 'the tea in <b>1999</b>';
    await set('#text', text);
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelector('#marked').childNodes]
          .map((node) => (node.tagName === 'MARK' ? node.firstChild : node).textContent)
          .join('') === wanted,
      {},
      text,
    );
    expect(await page.$$eval('#marked b', (all) => all.length)).toBe(0);
    const kinds = await textsOf('#legend li');
    expect(kinds.length).toBeGreaterThan(0);
    for (const kind of kinds) expect(kind).toMatch(/^(PER|LOC): [1-9]/);

    await set('#own-labels', 'praise, complaint');
    await until('#label-problem', /could not be read/);
  });

  test('a letter fills in a form by its schema, and the next step is a tool call', async () => {
    await open('forms');
    await use('Qwen3 0.6B');
    await ready('#fill');
    const schema = {
      type: 'object',
      properties: {
        animal: { title: 'Animal', enum: ['cat', 'dog'] },
        legs: { type: 'integer', minimum: 4, maximum: 4 },
        tame: { const: true, type: 'boolean' },
      },
      required: ['animal', 'legs', 'tame'],
    };
    await set('#schema', '{');
    await until('#schema-problem', /JSON/);
    await set('#schema', JSON.stringify(schema));
    await until('#form', /Animal.*legs.*tame/);
    await click('#fill');
    await until('#state', /Done in/);
    const values = await page.$$eval('#form :is(input, select)', (fields) =>
      fields.map((field) => (field.type === 'checkbox' ? field.checked : field.value)),
    );
    expect(values).toEqual([expect.stringMatching(/^(cat|dog)$/), '4', true]);
    await ready('#decide');
    await click('#decide');
    await page.waitForSelector('#steps li');
    expect(await textOf('#steps h3')).toMatch(/^(write_reply|pay_back|hand_over)$/);
  });
});

test('WebKit: a letter fills in a form with a model by its name', async () => {
  const [, launchBrowser] = webKit;
  const origin = await forward(site.url, { hub: hub.endpoint });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin.url}forms.html`);
    await page.waitForFunction("document.querySelectorAll('.model button').length === 3");
    await page.evaluate(() => document.querySelector('[aria-label="Use Qwen3 0.6B"]').click());
    await page.waitForFunction("document.getElementById('fill').disabled === false");
    await page.evaluate(() => {
      const schema = document.getElementById('schema');
      schema.value = '{ "properties": { "legs": { "const": 4, "type": "integer" } }, "required": ["legs"] }';
      schema.dispatchEvent(new Event('input', { bubbles: true }));
      document.getElementById('fill').click();
    });
    await page.waitForFunction("document.querySelector('#form input')?.value === '4'");
    await page.close();
  } finally {
    await browser.close();
    await origin.close();
  }
});
