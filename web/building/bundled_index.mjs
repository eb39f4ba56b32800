import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { caches, dist, root } from '../../tools/build/paths.mjs';
import { fingerprint, isCurrent, remember } from '../../tools/build/stamp.mjs';
import { bookText, readBook } from './book.mjs';
import { bundledIndex, web } from './paths.mjs';

const model = `${root}models/embedder-int8.weights`;
const inputs = [
  bookText,
  model,
  `${root}npm/src/search`,
  `${root}npm/src/text`,
  ...['book.mjs', 'bundled_index.mjs'].map((name) => `${web}building/${name}`),
];

/** Embedding the book takes a minute or two, so that the index outlives a checkout. */
const kept = join(caches, 'demo');

/** Longer passages make a smaller index, shorter ones are found a little more reliably. */
const maxTokens = 200;

/**
 * The passages of the book with their vectors, as a saved SearchIndex. Downloading the vectors is faster than computing
 * them on the visitor's machine.
 */
export async function buildBundledIndex() {
  const digest = await fingerprint(inputs);
  if (await isCurrent('web-corpus', digest, bundledIndex)) return;
  const cached = join(kept, `${digest}.index`);
  await mkdir(dirname(bundledIndex), { recursive: true });
  if (existsSync(cached)) await copyFile(cached, bundledIndex);
  else {
    await writeFile(bundledIndex, await embedBook());
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true });
    await copyFile(bundledIndex, `${cached}.new`);
    await rename(`${cached}.new`, cached);
  }
  await remember('web-corpus', digest);
}

async function embedBook() {
  const { chunkText, Embedder, SearchIndex } = await import(`${dist}node.js`);
  const embedder = await Embedder.load(model);
  const index = new SearchIndex({ embedder, storage: 'int8', keepTexts: false });
  const entries = readBook().flatMap((section) =>
    section.parts.flatMap((part) =>
      chunkText(part.paragraphs.join('\n\n'), { maxTokens, countTokens: estimatedTokens }).map(({ text }) =>
        passage(section, part, text),
      ),
    ),
  );
  await index.addTexts(
    entries.map((entry, id) => ({ id, ...entry })),
    { truncate: 'end' },
  );
  const saved = await index.save();
  embedder.close();
  return saved;
}

/** Headings above a passage often name its subject in words that the passage itself does not use. */
function passage({ chapter, title, file }, { heading, anchor }, text) {
  const path = heading ? `${title} › ${heading}` : title;
  const page = `book/${file}${anchor && `#${anchor}`}`;
  return { text: `${path}. ${text}`, payload: { title: path, text, source: chapter, page } };
}

/** Rather too high: what the embedder would cut off is not found. */
function estimatedTokens(text) {
  const words = text.match(/[\p{L}\p{M}\p{N}]+|[^\s]/gu) ?? [];
  return words.reduce((sum, word) => sum + Math.ceil(word.length / 7), 2);
}
