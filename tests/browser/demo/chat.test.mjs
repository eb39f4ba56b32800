// The chat page of the demo site, with the story model as the visitor's own file: it goes on with what is written, so
// that its answers are known.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextGenerator } from '../../../dist/node.js';
import { readSafetensors, writeSafetensors } from '../../../dist/node_safetensors.js';
import { storyteller } from '../../../models/index.js';
import { launch, launchFirefox } from '../browsers.mjs';
import { openWatchedPage } from '../origins.mjs';
import { testOnceIn } from '../pages.mjs';
import { beginning, expectKnown, known, onOneLine } from './chat_story.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { visitor } from './visitor.mjs';

const fixture = (path) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

let site;
let downloads;
beforeAll(async () => {
  site = await serveDemoSite();
  downloads = mkdtempSync(join(tmpdir(), 'quintet-chat-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(downloads, { recursive: true, force: true });
});

const saving = { 'browser.download.folderList': 2 };
describe.each([
  ['Chromium', () => launch()],
  ['Firefox', () => launchFirefox({ ...saving, 'browser.download.dir': downloads })],
])('%s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  let browser;
  let page;
  let closeHome;
  const { textOf, textsOf, click, ready, until, give, pairs } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
    if (name === 'Firefox') return;
    const session = await browser.target().createCDPSession();
    const where = { downloadPath: downloads, eventsEnabled: true };
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', ...where });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, closeHome } = await openWatchedPage(browser));
    await page.goto(`${site.url}chat.html`);
    await useStories();
  });
  afterEach(async () => {
    await closeHome(site.url);
  });

  const useStories = async () => {
    await page.waitForSelector('#own-model input');
    await give('#own-model input', fileURLToPath(storyteller));
    await ready('#send');
  };
  const set = (selector, value) => page.$eval(selector, (control, given) => (control.value = given), value);
  const answers = () => textsOf('.message.assistant .said');
  const questions = () => textsOf('.message.user .said');
  const button = (label) => `#log button[aria-label="${label}"]`;
  const greedily = async (maxTokens) => {
    await set('#temperature', '0');
    await set('#max-tokens', String(maxTokens));
  };
  /** Types a message, sends it with Enter, and waits for the end of the answer. */
  const ask = async (text) => {
    await page.focus('#message');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await until('#speed', /tokens?.*(Done|Cut off)/);
    await ready('#send');
  };
  test('a turn: the answer streams, is spoken at its end, and fills the context', async () => {
    await greedily(40);
    await ask(beginning);
    expect(await questions()).toEqual([beginning]);
    const [said] = await answers();
    expectKnown(said);
    expect(await textOf('#speed')).toMatch(/40 tokens.* per second/);
    expect((await textOf('#spoken')).trim()).toBe(said.trim());
    expect(await textOf('#context-text')).toMatch(/^[5-9]\d of 512 tokens$/);
    expect(await page.$eval('#log', (log) => [log.getAttribute('role'), log.getAttribute('aria-busy')])).toEqual([
      'log',
      'false',
    ]);
    await ask('The end.');
    expect((await answers()).length).toBe(2);
    expect((await questions()).length).toBe(2);
  });

  testOnce('retry replaces the answer, edit continues from there, branch keeps both', async () => {
    await greedily(30);
    await ask(beginning);
    const [first] = await answers();
    await ask('The end.');
    await click(button('Branch: message 2'));
    await until('#speed', /Branch 2 begins here/);
    expect(await answers()).toEqual([first]);
    await greedily(60);
    await click(button('Retry: message 2'));
    await until('#speed', /60 tokens/);
    await ready('#send');
    const [longer] = await answers();
    expectKnown(longer);
    expect(longer.startsWith(first)).toBe(true);
    expect(longer.length).toBeGreaterThan(first.length + 20);

    await click('#branches button:first-child');
    expect((await answers()).length).toBe(2);
    await click(button('Edit: message 1'));
    await set('#log textarea', 'One day');
    await page.focus('#log textarea');
    await page.keyboard.press('Enter');
    await until('#speed', /60 tokens/);
    await ready('#send');
    expect(await questions()).toEqual(['One day']);
    expect((await answers()).length).toBe(1);
    expect((await answers())[0]).not.toBe(first);
    await click('#branches button:last-child');
    expect(await answers()).toEqual([longer]);
  });

  test('a branch is deleted and restored with the keyboard', async () => {
    const chips = () => textsOf('#branches:not([hidden]) button');
    const isShown = (selector) => page.$eval(selector, (element) => element.checkVisibility());
    const focused = () => page.evaluate(() => document.activeElement.id);
    await greedily(10);
    await ask(beginning);
    const [said] = await answers();
    await ask('The end.');
    expect(await isShown('#branching')).toBe(false);
    await click(button('Branch: message 2'));
    await click(button('Branch: message 1'));
    await until('#speed', /Branch 3 begins here/);
    expect(await chips()).toEqual(['Branch 1', 'Branch 2', 'Branch 3']);
    expect(await isShown('#undelete-branch')).toBe(false);

    await page.focus('#branches button:nth-child(2)');
    await page.keyboard.press('Enter');
    expect(await answers()).toEqual([said]);
    // Moves from branch 2, which keeps the focus, over branch 3.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('delete-branch');
    await page.keyboard.press('Enter');
    await until('#speed', /Branch 2 is deleted/);
    expect([await chips(), await focused(), await questions()]).toEqual([
      ['Branch 1', 'Branch 3'],
      'undelete-branch',
      [beginning],
    ]);
    expect(await answers()).toEqual([]);
    await page.keyboard.press('Enter');
    await until('#speed', /Branch 2 is back/);
    expect([await chips(), await focused(), await answers()]).toEqual([
      ['Branch 1', 'Branch 2', 'Branch 3'],
      'delete-branch',
      [said],
    ]);

    // With what was computed for it: it goes on where it ended.
    await ask('The end.');
    expect((await answers()).length).toBe(2);
    await click('#delete-branch');
    await click('#delete-branch');
    expect([await chips(), await isShown('#delete-branch'), await focused()]).toEqual([[], false, 'undelete-branch']);
    expect((await answers()).length).toBe(2);
    expect(await textOf('#undelete-branch')).toBe('Undo: bring back branch 3');
    await click('#begin');
    expect(await isShown('#branching')).toBe(false);
  });

  test('Escape stops an answer and keeps its beginning', async () => {
    await greedily(100_000);
    await page.evaluate((text) => {
      const log = document.getElementById('log');
      new MutationObserver((_, observer) => {
        if ((log.querySelector('.message.assistant p:not(.hint)')?.textContent ?? '') === '') return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      }).observe(log, { childList: true, subtree: true });
      document.getElementById('message').value = text;
      document.getElementById('send').click();
    }, beginning);
    await until('#speed', /Stopped/);
    await ready('#send');
    const [said] = await answers();
    expect(said.length).toBeGreaterThan(0);
    expect(known).toContain(onOneLine(said.trim()).slice(0, 60));
    await greedily(5);
    await ask('The end.');
    expect((await answers()).length).toBe(2);
  });

  if (name === 'Chromium') {
    test('an answer is copied as the model wrote it', async () => {
      const permissions = ['clipboard-read', 'clipboard-sanitized-write'];
      await browser.defaultBrowserContext().overridePermissions(new URL(site.url).origin, permissions);
      await page.bringToFront();
      await greedily(30);
      await ask('*Once* upon a time');
      const copied = async (label) => {
        await page.focus(button(label));
        await page.keyboard.press('Enter');
        await until('#speed', /^Copied\.$/);
        return page.evaluate(() => navigator.clipboard.readText());
      };
      expect(await copied('Copy: message 1')).toBe('*Once* upon a time');
      const [said] = await answers();
      expect((await copied('Copy: message 2')).trim()).toBe(said.trim());
      expect(said.length).toBeGreaterThan(60);
    });
  }

  test('a page without access to the clipboard reports it', async () => {
    await page.evaluate(
      () => (navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))),
    );
    await greedily(5);
    await ask(beginning);
    await click(button('Copy: message 1'));
    await until('#speed', /does not allow this page to copy/);
  });

  test('a saved conversation is opened again, in the page and in Node', async () => {
    await greedily(30);
    await set('#system', 'A story.');
    await page.$eval('#system', (field) => field.dispatchEvent(new Event('input', { bubbles: true })));
    await ask(beginning);
    const [said] = await answers();
    await click('#save');
    await until('#speed', /Saved: .*2 messages/);
    const file = join(downloads, 'conversation.safetensors');
    while (!existsSync(file) || readFileSync(file).length === 0)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

    const { metadata } = await readSafetensors(new Uint8Array(readFileSync(file)));
    const messages = JSON.parse(metadata['quintet.messages']);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(messages[2].content.trim()).toBe(said.trim());
    const model = await TextGenerator.load(storyteller);
    const session = model.createSession();
    await session.loadCache(new Uint8Array(readFileSync(file)));
    expect(await model.detokenize([...session.tokens])).toContain(beginning);
    const held = session.length;
    model.close();

    await page.reload();
    await useStories();
    await give('#saved input', file);
    await until('#speed', /Opened: 2 messages/);
    rmSync(file);
    expect(await answers()).toEqual([said]);
    expect(await page.$eval('#system', ({ value }) => value)).toBe('A story.');
    expect(await textOf('#context-text')).toBe(`${held} of 512 tokens`);
    await greedily(5);
    await ask('The end.');
    expect((await answers()).length).toBe(2);
  });

  testOnce('Markdown becomes elements; HTML and links to scripts stay text', async () => {
    const hostile = [
      '# A **bold** word',
      '<img src=x onerror="globalThis.harmed = 1"> and <b>tags</b>',
      '<script>globalThis.harmed = 1</script>',
      '[run](javascript:globalThis.harmed=1) [data](data:text/html,x) [page](https://a.example/x) <javascript:alert(1)>',
      '![picture](https://b.example/p.png)',
      '- one\n- two',
      '```html\n<i>code</i>\n```',
      '| a | b |\n|---|---|\n| 1 | <u>2</u> |',
    ].join('\n\n');
    const tooDeep = `${'>'.repeat(20_000)} <b>deep</b>`;
    const model = await TextGenerator.load(storyteller);
    const session = model.createSession();
    await session.generate('Hi', { maxTokens: 2 }).text();
    const { tensors, metadata } = await readSafetensors(await session.saveCache());
    model.close();
    const messages = [
      { role: 'user', content: '<b>Hi</b>' },
      { role: 'assistant', content: hostile, reasoning: '<i>so</i>' },
      { role: 'assistant', content: tooDeep },
    ];
    const file = join(downloads, `hostile-${name}.safetensors`);
    writeFileSync(file, await writeSafetensors(tensors, { ...metadata, 'quintet.messages': JSON.stringify(messages) }));
    await give('#saved input', file);
    await until('#speed', /Opened: 3 messages/);

    expect(await questions()).toEqual(['<b>Hi</b>']);
    expect(await page.$$eval('#log :is(img, script, b, i, u, iframe)', (found) => found.length)).toBe(0);
    expect(await page.evaluate(() => globalThis.harmed)).toBeUndefined();
    const links = await page.$$eval('#log a', (found) => found.map(({ href, rel }) => [href, rel]));
    expect(links).toEqual(
      ['https://a.example/x', 'https://b.example/p.png'].map((href) => [href, 'noopener noreferrer nofollow']),
    );
    const [said, deep] = await answers();
    expect(deep).toBe(tooDeep);
    for (const text of ['<img src=x onerror=', '<script>', '[run](javascript:', '<b>tags</b>', '<u>2</u>'])
      expect(said).toContain(text);
    expect(await textsOf('#log .said h3 strong')).toEqual(['bold']);
    expect(await textsOf('#log .said li')).toEqual(['one', 'two']);
    expect(await textsOf('#log .said pre code')).toEqual(['<i>code</i>']);
    expect(await textOf('#log .thoughts')).toBe('Thoughts<i>so</i>');
  });

  testOnce('an answer as JSON matches the schema, and its members are shown', async () => {
    expect(await page.$eval('#schema', ({ offsetParent }) => offsetParent)).toBeNull();
    await greedily(120);
    await click('#as-json');
    const schema = {
      type: 'object',
      properties: {
        kind: { enum: ['cat', 'dog'] },
        legs: { type: 'integer', minimum: 4, maximum: 4 },
        tags: { type: 'array', items: { const: 'x' }, minItems: 2, maxItems: 2 },
      },
      required: ['kind', 'legs', 'tags'],
    };
    await set('#schema', JSON.stringify(schema));
    await ask(beginning);
    const [said] = await answers();
    const { kind } = JSON.parse(said);
    expect(['cat', 'dog']).toContain(kind);
    expect(await pairs('#parsed dl')).toEqual({ kind, legs: '4', tags: 'xx' });
    expect(await textsOf('#parsed li')).toEqual(['x', 'x']);
    await greedily(2);
    await ask('The end.');
    expect(await textOf('#parsed')).toMatch(/not complete. It was cut off/);
  });

  testOnce('an invalid schema is reported next to its field, and nothing is asked', async () => {
    await click('#as-json');
    await set('#schema', '{\n "properties": {\n  "a b": { "items": [{}, { "contains": {} }] }\n }\n}');
    await page.$eval('#schema', (field) => field.dispatchEvent(new Event('change')));
    await until('#schema-problem', /Line 3.*contains at #\/properties\/a b\/items\/1/);
    expect(await page.$eval('#schema', ({ ariaInvalid }) => ariaInvalid)).toBe('true');
    await click('#schema-problem button');
    const selected = await page.$eval('#schema', ({ value, selectionStart, selectionEnd }) =>
      value.slice(selectionStart, selectionEnd),
    );
    expect(selected).toBe('{ "contains": {} }');
    expect(await page.evaluate(() => document.activeElement.id)).toBe('schema');

    await set('#schema', '{ no JSON');
    await set('#message', 'Hello');
    await click('#send');
    await until('#problem', /The model could not answer.*The schema is not JSON/);
    await until('#schema-problem', /The schema is not JSON/);
    expect(await answers()).toEqual([]);
    expect(await page.$eval('#message', ({ value }) => value)).toBe('Hello');
  });

  testOnce('errors are shown, and the conversation stays', async () => {
    await greedily(5);
    await ask(beginning);
    const before = await answers();
    await give('#saved input', fixture('images/gradient.png'));
    await until('#problem', /gradient\.png is not a conversation that this model can continue/);
    await give('#own-model input', fixture('images/gradient.png'));
    await until('#problem', /gradient\.png could not be loaded/);
    expect(await answers()).toEqual(before);
    await set('#max-tokens', '600');
    await set('#message', 'Hello '.repeat(600));
    await click('#send');
    await until('#problem', /The model could not answer.*cannot be used/);
    expect(await answers()).toEqual(before);
    expect(await page.$eval('#message', ({ value }) => value)).toMatch(/^Hello /);
  });

  test('fits 400 pixels in both themes, and every control has a name', async () => {
    await page.setViewport({ width: 400, height: 800 });
    await click('#as-json');
    await set('#schema', JSON.stringify({ const: { ['n'.repeat(60)]: ['w'.repeat(90), { deep: [[1]] }] } }));
    await greedily(250);
    await ask(`${beginning} ${'w'.repeat(120)}`);
    expect(await textOf('#parsed dl dl')).toBe('deep1');
    for (let theme = 0; theme < 2; theme++) {
      await click('#theme');
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    }
    const unnamed = await page.$$eval('main :is(button, input, select, textarea)', (controls) =>
      controls
        .filter(
          (it) =>
            !it.ariaLabel &&
            !it.textContent.trim() &&
            ![...(it.labels ?? [])].some((label) => label.textContent.trim()),
        )
        .map((it) => it.outerHTML),
    );
    expect(unnamed).toEqual([]);
  });
});
