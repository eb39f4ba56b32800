// Gives the documentation in docs/ a search index, as `quintet site` does for a built site, and answers questions.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite, openSite } from 'quintet/site';
import { bold, dim, milliseconds, progressLine, wrap } from './terminal.mjs';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const QUESTIONS = ['KV cache in Python', 'share memory between threads', 'structrued output'];
const HITS = 2;

export async function searchDocumentation() {
  const out = await mkdtemp(join(tmpdir(), 'quintet-docs-'));
  try {
    await index(out);
    const site = await openSite(out);
    for (const question of QUESTIONS) await answer(site, question);
    console.log(`\n${Math.round(site.bytes / 1000)} KB of the index were read; visitors download no model.`);
    console.log(dim('Try it: npx . site FOLDER, for the built pages of a site'));
    site.close();
  } finally {
    await rm(out, { recursive: true });
  }
}

async function index(out) {
  const started = performance.now();
  const line = progressLine();
  const report = await buildSite({
    dir: docs,
    out,
    cache: false,
    onProgress: ({ stage, done, total }) => line.update(`${stage}: ${done} of ${total}`),
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  line.done(`\nIndexed the ${report.pages} pages of ${bold('docs/')} in ${seconds} s.`);
}

async function answer(site, question) {
  const started = performance.now();
  const hits = await site.search(question, { k: HITS });
  console.log(`\n${bold(question)} ${dim(`(${milliseconds(started)})`)}`);
  for (const { url, title, excerpt } of hits) {
    console.log(`  ${bold(title)}  ${dim(url)}`);
    console.log(wrap(excerpt.text, '         '));
  }
}
