// How the building of a site's search grows with the site: folders of 1,000 to 100,000 pages, each a page of docs/ in other words.
//
//   node bench/site_scale.mjs [PAGES]...     (default: 1000 10000 100000)
//
// A row for each: seconds in all and for a thousand pages, peak memory, files and bytes. Every site is built in a process of its own,
// because memory is never given back.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { buildSite } from '../dist/node_site.js';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
/** In a folder, as sites have them. */
const pagesInFolder = 1000;

const [first, ...rest] = process.argv.slice(2);
if (first === '--build') await build(rest[0]);
else for (const pages of first === undefined ? [1000, 10_000, 100_000] : [first, ...rest].map(Number)) measure(pages);

function measure(pages) {
  const dir = mkdtempSync(join(tmpdir(), 'quintet-site-scale-'));
  try {
    writePages(dir, pages);
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--build', dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { seconds, files, bytes, passages, megabytes, visit } = JSON.parse(stdout);
    const perThousand = ((1000 * seconds) / pages).toFixed(2);
    console.log(
      `${pages} pages, ${passages} passages: ${seconds.toFixed(1)} s (${perThousand} s for 1000), ${megabytes} MB of memory, ` +
        `${files} files, ${(bytes / 1e6).toFixed(1)} MB; queries ${visit.first} and ${visit.next} bytes`,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function build(dir) {
  const { seconds, files, bytes, passages, visit } = await buildSite({ dir, cache: false });
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(JSON.stringify({ seconds, files, bytes, passages, visit, megabytes }));
}

/** Sections of docs/, in turns, each page with a number and words of its own. */
function writePages(dir, pages) {
  const sections = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(docs + name, 'utf8').split(/^(?=## )/m))
    .map((text) => marked.parse(text).replaceAll(/<h2>/g, '<h2 id="part">'));
  for (let i = 0; i < pages; ++i) {
    const folder = join(dir, `part-${Math.floor(i / pagesInFolder)}`);
    if (i % pagesInFolder === 0) mkdirSync(folder);
    const own = `<p>Case ${i}, called word${i.toString(36)}.</p>`;
    const html = `<!doctype html><html lang="en"><title>Page ${i}</title><main><h1>Page ${i}</h1>${own}${sections[i % sections.length]}</main></html>`;
    writeFileSync(join(folder, `page-${i}.html`), html);
  }
}
