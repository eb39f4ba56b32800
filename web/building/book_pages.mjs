// The book as pages of the site, in the frame of book/index.html, with an index that the home page searches.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dist } from '../../tools/build/paths.mjs';
import { readBook } from './book.mjs';
import { base, site } from './paths.mjs';

const folder = `${site}book/`;

/** Writes a page for each section, the table of contents in place of the frame, and the index into book/search. */
export async function buildBook() {
  const frame = await readFile(`${folder}index.html`, 'utf8');
  const sections = readBook();
  const write = (file, parts) =>
    writeFile(
      folder + file,
      frame.replace(/<!-- (\w+) -->/g, (comment, name) => parts[name] ?? comment),
    );
  await mkdir(folder, { recursive: true });
  for (const [i, section] of sections.entries())
    await write(section.file, {
      title: `${escaped(section.title)} · Astronomy`,
      description: `${escaped(section.title)}: a section of the textbook Astronomy 2e, ${escaped(section.chapter)}.`,
      text: textOf(section) + neighbours(sections[i - 1], sections[i + 1]),
    });
  await write('index.html', {
    title: 'Astronomy · quintet',
    description: 'The textbook that the demo searches.',
    text: contentsOf(sections),
  });
  const { buildSite } = await import(`${dist}node_site.js`);
  await buildSite({ dir: folder });
}

function textOf({ chapter, title, parts }) {
  const text = parts.map(({ heading, anchor, paragraphs }) => {
    const head = heading && `<h2 id="${anchor}">${escaped(heading)}</h2>`;
    return head + paragraphs.map(paragraph).join('');
  });
  const above = `<p class="hint" data-pagefind-ignore><a href="${base}book/">Astronomy</a>: ${escaped(chapter)}</p>`;
  return `${above}<h1>${escaped(title)}</h1>${text.join('')}`;
}

const paragraph = (text) => `<p>${escaped(text.replace(/^- /, '• '))}</p>`;

function neighbours(before, after) {
  const link = (section, rel) =>
    section ? `<a rel="${rel}" href="${base}book/${section.file}">${escaped(section.title)}</a>` : '';
  return `<nav class="neighbours" aria-label="Sections" data-pagefind-ignore>${link(before, 'prev')}${link(after, 'next')}</nav>`;
}

function contentsOf(sections) {
  const link = ({ file, title }) => `<li><a href="${base}book/${file}">${escaped(title)}</a></li>`;
  const chapters = [...new Set(sections.map(({ chapter }) => chapter))];
  const lists = chapters.map((chapter) => {
    const links = sections.filter((section) => section.chapter === chapter).map(link);
    return `<h2>${escaped(chapter)}</h2><ul>${links.join('')}</ul>`;
  });
  const licence = '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>';
  const about = `<p class="lead">The text of the textbook by Andrew Fraknoi, David Morrison and Sidney Wolff (OpenStax, ${licence}). The
    <a href="${base}">home page</a> and the <a href="${base}search.html">search page</a> find passages in it.
    <a href="${base}attribution.txt">Sources and changes</a></p>`;
  return `<h1>Astronomy</h1>${about}${lists.join('')}`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (character) => entities[character]);
