// Helpers for the DOM.

/** An element of the page's own HTML, which exists and is of this class. */
export function byId<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`#${id} is not a ${kind.name}`);
}

/** Enables the buttons in an element. The HTML disables those that do nothing until a script has arrived. */
export function enableButtons(within: Element): void {
  for (const button of within.querySelectorAll('button')) button.disabled = false;
}

/** A new element. Strings become text, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}
