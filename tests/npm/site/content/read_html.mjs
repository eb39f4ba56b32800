// Pages of HTML as the index sees them.
import { importSource } from '../../helpers/source.mjs';

const { readHtmlPage } = await importSource('site/content/html/html_page.ts');

/** `html`: a text, or bytes in another encoding. */
export const read = (html) => readHtmlPage(typeof html === 'string' ? Buffer.from(html) : html);

/** All text of a page, a line for each passage. */
export const textOf = (html) =>
  read(html)
    .sections.flatMap(({ passages }) => passages.map(({ text }) => text))
    .join('\n');

/** Anchor, title and trail of each section, and its text. */
export const outline = (html) =>
  read(html).sections.map(({ anchor, title, trail, passages }) => [
    anchor,
    title,
    trail.join(' > '),
    passages.map(({ text }) => text).join('\n'),
  ]);
