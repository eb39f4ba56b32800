// The actions of a visitor to the demo site.

/** Gives functions for the page that `current()` returns. */
export function visitor(current) {
  const textOf = (selector) => current().$eval(selector, (element) => element.textContent);
  return {
    textOf,
    textsOf: (selector) => current().$$eval(selector, (elements) => elements.map((element) => element.textContent)),
    click: (selector) => current().$eval(selector, (element) => element.click()),
    /** Waits until a control can be used. */
    ready: (selector) => current().waitForSelector(`${selector}:not([disabled])`),
    /** Waits until the text of an element matches. */
    until: async (selector, pattern) => {
      try {
        await current().waitForFunction(
          (where, wanted) => new RegExp(wanted, 's').test(document.querySelector(where)?.textContent ?? ''),
          {},
          selector,
          pattern.source,
        );
      } catch (cause) {
        const shown = await current().evaluate(() => document.body.innerText);
        throw new Error(`'${selector}' never matched ${pattern}. The page showed:\n${shown}`, { cause });
      }
    },
    give: async (selector, ...paths) => (await current().$(selector)).uploadFile(...paths),
    /** Names of what can be operated; one without is ''. */
    controlNames: () =>
      current().$$eval('main :is(button, input, select, textarea, [tabindex="0"])', (controls) =>
        controls
          .filter((control) => control.checkVisibility())
          .map((control) => {
            const labels = [...(control.labels ?? [])].map((label) => label.textContent).join(' ');
            return (control.ariaLabel || labels || (control.tagName === 'BUTTON' ? control.textContent : '')).trim();
          }),
      ),
    /** The rows of a <dl> as an object. */
    pairs: (selector) =>
      current().$eval(selector, (list) =>
        Object.fromEntries(
          [...list.querySelectorAll('dt')].map((name) => [name.textContent, name.nextElementSibling.textContent]),
        ),
      ),
  };
}
