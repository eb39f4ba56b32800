// One browser for a block of tests, and in it a new page for each of them.
import { launch, launchFirefox } from './browsers.mjs';
import { launchWebKit } from './webkit/browser.mjs';

/** Rows for describe.each(). */
export const chromium = ['Chromium', launch];
export const firefox = ['Firefox', launchFirefox];
export const webKit = ['WebKit', () => launchWebKit()];
/** WebKitGTK has no SharedArrayBuffer by default, even on isolated pages; this option of its engine enables it. */
export const webKitWithSharedMemory = ['WebKit', () => launchWebKit({ JSC_useSharedArrayBuffer: '1' })];
export const allBrowsers = [chromium, firefox, webKit];

/** `test` in Chromium, and nothing in others: for what is the same in all browsers. */
export const testOnceIn = (name) => (name === 'Chromium' ? test : Object.assign(() => {}, { each: () => () => {} }));

/** Call it in the block; `address` returns the address of each test's page, once the hooks before it have run. */
export function pagesIn(launchBrowser, address) {
  let browser;
  const pages = {
    /** The page of the test that runs. */
    current: undefined,
    async open(url = address()) {
      const page = await browser.newPage();
      await page.goto(url);
      return page;
    },
  };
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    pages.current = await pages.open();
  });
  afterEach(() => pages.current.close());
  return pages;
}

/** Waits until a page has at most `count` workers. */
export async function untilWorkers(page, count) {
  while (page.workers().length > count) await page.evaluate('0');
}
