// The origins from which the pages of a test fetch.
import { expect } from '@jest/globals';

/**
 * A page of `browser` whose requests are noted. `closeHome(url)` closes it, and fails if it fetched from anywhere but
 * the origin of `url`.
 */
export async function openWatchedPage(browser) {
  const origins = new Set();
  const page = await browser.newPage();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http')) origins.add(url.origin);
  });
  const closeHome = async (url) => {
    await page.close();
    expect([...origins]).toEqual([new URL(url).origin]);
  };
  return { page, closeHome };
}
