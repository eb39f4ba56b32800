// Pages with <quintet-search>, and what a visitor sees of it.
import { serve } from '../browsers.mjs';

/** Serves dist/ and pages: { '/path': 'HTML of the body' }. */
export function servePages(pages, { lang = 'en', head = '', headers = {} } = {}) {
  const answers = {};
  for (const [path, body] of Object.entries(pages)) {
    answers[path] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
      response.end(
        `<!doctype html><html lang="${lang}"><head><title>Garden</title>${head}</head><body>${body}</body></html>`,
      );
    };
  }
  return serve({ answers });
}

export const gardenScript = '<script type="module" src="/tests/browser/site_search/garden.js"></script>';

/** The parts of an element of the page that `current()` returns. */
export function parts(current, host = 'quintet-search') {
  const find = (selector) => `${host} >>> ${selector}`;
  return {
    find,
    textOf: (selector) => current().$eval(find(selector), (it) => it.textContent),
    textsOf: (selector) => current().$$eval(find(selector), (all) => all.map((it) => it.textContent)),
    attributeOf: (selector, name) => current().$eval(find(selector), (it, asked) => it.getAttribute(asked), name),
    /** Waits until the element shows the number of results, or that there are none: the answer is complete. */
    async said(pattern) {
      await current().waitForFunction(
        (selector, source) =>
          new RegExp(source).test(
            document.querySelector(selector).shadowRoot.querySelector('[role=status]').textContent,
          ),
        {},
        host,
        pattern.source,
      );
    },
    /** The name of the part that has the focus. */
    focused: () =>
      current().evaluate((selector) => {
        const inside = document.querySelector(selector).shadowRoot.activeElement;
        return inside?.getAttribute('part') ?? document.activeElement.id;
      }, host),
    titleOfActive: () =>
      current().evaluate((selector) => {
        const root = document.querySelector(selector).shadowRoot;
        const active = root.querySelector('[part=input]').getAttribute('aria-activedescendant');
        return active && root.getElementById(active).querySelector('[part=title]').textContent;
      }, host),
  };
}
