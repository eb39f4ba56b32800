// The book that the demo searches: book/astronomy.txt, whose lines begin with '# ' for a chapter, '## ' for a section
// and '### ' for a heading within it. Everything else is a paragraph.
import { readFileSync } from 'node:fs';
import { web } from './paths.mjs';

export const bookText = `${web}book/astronomy.txt`;

/**
 * Its sections: { chapter, title, file, parts }, where a part is { heading, anchor, paragraphs }; the first has no
 * heading.
 */
export function readBook() {
  const sections = [];
  const files = new Set();
  let chapter = '';
  for (const block of readFileSync(bookText, 'utf8').split('\n\n')) {
    const [, mark, name] = /^(#{1,3}) (.*)/.exec(block) ?? [];
    if (mark === '#') chapter = name;
    else if (mark === '##') {
      const file = `${freeName(nameOf(name), files)}.html`;
      sections.push({ chapter, title: name, file, parts: [{ heading: '', anchor: '', paragraphs: [] }] });
    } else if (mark === '###') {
      const { parts } = sections.at(-1);
      const anchors = new Set(parts.map(({ anchor }) => anchor));
      parts.push({ heading: name, anchor: freeName(nameOf(name), anchors), paragraphs: [] });
    } else if (block.trim() !== '') sections.at(-1).parts.at(-1).paragraphs.push(block.trim());
  }
  return sections;
}

const nameOf = (title) =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function freeName(name, taken) {
  let free = name;
  for (let i = 2; taken.has(free); ++i) free = `${name}-${i}`;
  taken.add(free);
  return free;
}
