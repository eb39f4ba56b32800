// Web pages as Markdown: their headings and paragraphs.

const withoutText =
  'script, style, noscript, template, nav, header, footer, aside, form, svg, [hidden], [aria-hidden=true]';
const blocks = 'h1, h2, h3, h4, h5, h6, p, li, dt, dd, pre, blockquote, td, th, figcaption';

export const isHtml = (name: string): boolean => /\.x?html?$/i.test(name);

export function markdownOf(html: string): string {
  // Nothing of it runs or is loaded: https://html.spec.whatwg.org/#dom-domparser-parsefromstring
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const each of page.querySelectorAll(withoutText)) each.remove();
  const content = page.querySelector('main, [role=main], article') ?? page.body;
  const found = [...content.querySelectorAll(blocks)].filter((block) => !block.querySelector(blocks)).map(blockOf);
  return found.length > 0 ? found.filter(Boolean).join('\n\n') : (content.textContent ?? '');
}

function blockOf({ tagName, textContent }: Element): string {
  const text = (textContent ?? '').replace(/\s+/g, ' ').trim();
  const [, level] = /^H([1-6])$/.exec(tagName) ?? [];
  return level && text ? `${'#'.repeat(Number(level))} ${text}` : text;
}
