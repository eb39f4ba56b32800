// One browser for a block of tests, and in it a new page for each of them.
import { launch, launchFirefox } from './browsers.mjs';

/** Rows for describe.each(). */
export const allBrowsers = [
  ['Chromium', launch],
  ['Firefox', launchFirefox],
];

/** To be called in the block; `address` gives that of each test's page, when what stands before in the block has run. */
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
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    pages.current = await pages.open();
  });
  afterEach(() => pages.current.close());
  return pages;
}
