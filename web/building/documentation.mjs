// The documentation as a part of the site: docs/*.md in the frame of docs/index.html, with an index that
// <quintet-search> searches.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { dist, root } from '../../tools/build/paths.mjs';
import { pageOf, sections } from './documentation_pages.mjs';
import { markdownPage } from './markdown_page.mjs';
import { base, site } from './paths.mjs';
import { addressOf } from './repository.mjs';

const folder = `${site}docs/`;
const files = sections.flatMap(([, listed]) => listed);

/** Writes the pages in place of their frame, and the index into docs/search. */
export async function buildDocumentation() {
  const script = `<script type="module" src="${base}docs/search/quintet-search.js"></script>`;
  const frame = (await readFile(`${folder}index.html`, 'utf8'))
    .replace('</head>', `${script}</head>`)
    .replace('src="/docs/search/"', `src="${base}docs/search/"`);
  const pages = new Map();
  for (const file of files)
    pages.set(
      file,
      markdownPage(await readFile(root + file, 'utf8'), (href) => target(file, href)),
    );
  for (const [file, { title, description, html }] of pages) {
    const parts = { title: `${title} · quintet`, description, pages: menu(pages, file), text: html };
    const path = folder + pageOf(file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      frame.replace(/<!-- (\w+) -->/g, (comment, name) => parts[name] ?? comment),
    );
  }
  await cp(`${root}docs/images`, `${folder}images`, { recursive: true });
  const { buildSite } = await import(`${dist}node_site.js`);
  await buildSite({ dir: folder });
}

/**
 * The target of a link in a file: a page, to a picture, or to the repository; undefined where package.json names none.
 */
function target(file, href) {
  if (/^[a-z]+:|^#/i.test(href)) return href;
  const [path, anchor] = href.split('#');
  const linked = posix.join(posix.dirname(file), path);
  if (files.includes(linked)) return `${base}docs/${pageOf(linked)}${anchor ? `#${anchor}` : ''}`;
  return linked.startsWith('docs/images/') ? `${base}${linked}` : addressOf(linked);
}

function menu(pages, current) {
  const link = (file) =>
    `<li><a href="${base}docs/${pageOf(file)}"${file === current ? ' aria-current="page"' : ''}>${shortTitle(pages.get(file), file)}</a></li>`;
  return sections.map(([title, listed]) => `<h2>${title}</h2><ul>${listed.map(link).join('')}</ul>`).join('');
}

const shortTitle = ({ titleHtml }, file) => (file === 'README.md' ? 'Overview' : titleHtml.split(':')[0]);
