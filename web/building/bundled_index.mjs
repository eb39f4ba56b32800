import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist, root } from '../../tools/build/paths.mjs';
import { fingerprint, isCurrent, remember } from '../../tools/build/stamp.mjs';
import { bundledIndex } from './paths.mjs';

const inputs = [
  ...['models/corpus.jsonl', 'models/embedder-int8.weights', 'npm/src/search'].map((path) => root + path),
  fileURLToPath(import.meta.url),
];

/**
 * The passages of quintet-models with their vectors, as a saved SearchIndex. Downloading the vectors is faster than computing
 * them on the visitor's machine.
 */
export async function buildBundledIndex() {
  const digest = await fingerprint(inputs);
  if (await isCurrent('web-corpus', digest, bundledIndex)) return;
  const { Embedder, SearchIndex } = await import(`${dist}node.js`);
  const lines = (await readFile(inputs[0], 'utf8')).split('\n').filter(Boolean);
  const passages = lines.map((line) => JSON.parse(line));
  const model = await Embedder.load(inputs[1]);
  const index = new SearchIndex({ embedder: model, storage: 'int8', keepTexts: false });
  await index.addTexts(
    passages.map(({ id, title, text, source }) => ({ id, text, payload: { title, text, source: bookOf(source) } })),
  );
  await mkdir(dirname(bundledIndex), { recursive: true });
  await writeFile(bundledIndex, await index.save());
  model.close();
  await remember('web-corpus', digest);
}

/** Without the commit, which ATTRIBUTION.md names. */
const bookOf = (source) => source.replace(/ \(openstax\/[^()]*\)$/, '');
