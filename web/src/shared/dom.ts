// The few things that pages do with the document all the time.

/** The element of a page's own HTML; that it is there and of this class is the page's own doing. */
export function byId<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`#${id} is no ${kind.name}`);
}

/** A new element. Strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}
