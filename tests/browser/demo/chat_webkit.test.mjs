// The chat page of the demo site in WebKit.
import { readdirSync } from 'node:fs';
import { site as siteFolder } from '../../../web/building/paths.mjs';

import { webKit } from '../pages.mjs';
import { beginning, expectKnown } from './chat_story.mjs';
import { serveDemoSite } from './demo_site.mjs';

/** The site has the story model under a name with its digest. */
const storyAddress = () =>
  `${site.url}assets/${readdirSync(`${siteFolder}assets`).find((name) => /^stories260k.*\.amb$/.test(name))}`;

let site;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site?.close());

test('WebKit: a turn, and an answer as JSON', async () => {
  const [, launchBrowser] = webKit;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}chat.html`);
    await page.waitForFunction("document.querySelector('#named-model input') !== null");
    await page.evaluate((address) => {
      document.querySelector('#named-model input').value = address;
      document.getElementById('named-model').requestSubmit();
    }, storyAddress());
    await page.waitForFunction("document.querySelector('#named-model [role=status] button') !== null");
    await page.evaluate(() => document.querySelector('#named-model [role=status] button').click());
    await page.waitForFunction("document.getElementById('send').disabled === false");
    await page.evaluate((text) => {
      document.getElementById('temperature').value = '0';
      document.getElementById('max-tokens').value = '40';
      document.getElementById('message').value = text;
      document.getElementById('send').click();
    }, beginning);
    await page.waitForFunction("/40 tokens/.test(document.getElementById('speed').textContent)");
    const said = await page.evaluate("document.querySelector('.message.assistant .said').textContent");
    expectKnown(said);

    await page.waitForFunction("document.getElementById('send').disabled === false");
    await page.evaluate(() => {
      document.getElementById('max-tokens').value = '100';
      document.getElementById('as-json').click();
      document.getElementById('schema').value = '{ "properties": { "legs": { "const": 4 } }, "required": ["legs"] }';
      document.getElementById('message').value = 'The end.';
      document.getElementById('send').click();
    });
    await page.waitForFunction("document.querySelector('#parsed dl')?.textContent === 'legs4'");
    await page.close();
  } finally {
    await browser.close();
  }
});
