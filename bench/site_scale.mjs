// Time and memory to build the search of a growing site: folders of 1,000 to 100,000 pages, each a page of docs/ in
// other words.
//
//   node bench/site_scale.mjs [--site DIR] [PAGES]...     (default: 1000 10000 100000)
//
// A row for each: seconds of the build in all and for a thousand pages, those of another one after ten pages have
// changed, processor time, peak memory, files and bytes. `--site` repeats the pages of a real site instead, each time
// with every tenth of its longer words replaced. Every site is built in its own process, because memory is never given
// back.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { marked } from 'marked';
import { buildSite } from '../dist/node_site.js';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
/** In a folder, as sites have them. */
const pagesInFolder = 1000;

const { values, positionals } = parseArgs({
  options: { site: { type: 'string' }, build: { type: 'string' } },
  allowPositionals: true,
});
if (values.build) await build(values.build);
else for (const pages of positionals.length > 0 ? positionals.map(Number) : [1000, 10_000, 100_000]) measure(pages);

function measure(pages) {
  const dir = mkdtempSync(join(tmpdir(), 'quintet-site-scale-'));
  try {
    const names = writePages(dir, pages, values.site ? pagesOf(values.site) : pagesOfDocs());
    const first = buildApart(dir);
    for (let i = 0; i < 10; ++i) {
      const name = names[Math.floor((i * names.length) / 10)];
      appendFileSync(join(dir, name), `<p>A sentence that was not there, number ${i}.</p>`);
    }
    const again = buildApart(dir);
    const { files, bytes, passages, visit } = first;
    console.log(
      `${pages} pages, ${passages} passages: ${took(first)}, ${((1000 * first.seconds) / pages).toFixed(2)} s for 1000; ` +
        `ten changed pages: ${took(again)}; ${Math.max(first.megabytes, again.megabytes)} MB of memory, ` +
        `${files} files, ${(bytes / 1e6).toFixed(1)} MB; queries ${visit.first} and ${visit.next} bytes`,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function took({ seconds, processor }) {
  return `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of processors)`;
}

function buildApart(dir) {
  const args = [fileURLToPath(import.meta.url), '--build', dir];
  return JSON.parse(spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout);
}

async function build(dir) {
  const { seconds, files, bytes, passages, visit } = await buildSite({ dir, cache: join(dir, '.cache') });
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const processor = (userCPUTime + systemCPUTime) / 1e6;
  console.log(
    JSON.stringify({ seconds, processor, files, bytes, passages, visit, megabytes: Math.round(maxRSS / 1000) }),
  );
}

/** Writes page i of each, in turns, and returns the names of the files. */
function writePages(dir, pages, sources) {
  return Array.from({ length: pages }, (_, i) => {
    const folder = `part-${Math.floor(i / pagesInFolder)}`;
    if (i % pagesInFolder === 0) mkdirSync(join(dir, folder));
    const name = `${folder}/page-${i}.html`;
    writeFileSync(join(dir, name), sources[i % sources.length](i, Math.floor(i / sources.length)));
    return name;
  });
}

/** Sections of docs/, each page with its own number and words. */
function pagesOfDocs() {
  return readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(docs + name, 'utf8').split(/^(?=## )/m))
    .map((text) => marked.parse(text).replaceAll(/<h2>/g, '<h2 id="part">'))
    .map((html) => (i) => {
      const own = `<p>Case ${i}, called word${i.toString(36)}.</p>`;
      return `<!doctype html><html lang="en"><title>Page ${i}</title><main><h1>Page ${i}</h1>${own}${html}</main></html>`;
    });
}

/** The pages of a site, repeated: in repetition n, some words, chosen by n, get it as a suffix. */
function pagesOf(site) {
  const chosen = (word, repetition) => {
    let hash = repetition;
    for (let i = 0; i < word.length; ++i) hash = (31 * hash + word.charCodeAt(i)) % 65_521;
    return hash % 10 === 0;
  };
  return readdirSync(site, { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .sort()
    .map((name) => readFileSync(join(site, name), 'latin1'))
    .map((html) => (_, repetition) => {
      const varied = (text) =>
        text.replace(/[a-z]{5,}/g, (word) => (chosen(word, repetition) ? word + repetition.toString(36) : word));
      // Bytes stay what they were, in any encoding.
      return Buffer.from(repetition === 0 ? html : html.replace(/>[^<]+</g, varied), 'latin1');
    });
}
