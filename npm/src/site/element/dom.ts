// Elements made by calls: texts stay texts, and neither a Content Security Policy nor Trusted Types has anything to
// object to.

type Attributes = Record<string, string | boolean | undefined>;

/** An element with attributes (`true`: without a value; undefined and false: left out) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

const svg = 'http://www.w3.org/2000/svg';

/** A picture of strokes in a square of 24 units. */
export function icon(path: string): SVGElement {
  const shape = document.createElementNS(svg, 'path');
  shape.setAttribute('d', path);
  const picture = document.createElementNS(svg, 'svg');
  setAttributes(picture, { viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' });
  picture.append(shape);
  return picture;
}

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : value);
  }
}
