// Indexes the bundled corpus with the bundled embedder, and answers questions.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Embedder, SearchIndex } from 'quintet';
import { corpus, embedder as model, queries } from '../../models/index.js';
import { bold, dim, engine, green, milliseconds, progressLine, wrap } from './terminal.mjs';

const QUESTIONS = 6;
const HITS = 2;

const passages = (await readFile(corpus, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const questions = JSON.parse(await readFile(queries, 'utf8'));

/** Shows the hits of the first questions, and how many of all questions are answered. */
export async function answerQuestions() {
  const embedder = await load();
  const index = await indexPassages(embedder);
  let found = 0;
  for (const [i, { query, relevant }] of questions.entries()) {
    const { hits, ms } = await search(index, query);
    if (relevant.includes(hits[0].id)) found += 1;
    if (i < QUESTIONS) show(query, relevant, hits, ms);
  }
  console.log(`\nThe best hit is the expected one for ${found} of ${questions.length} questions.`);
  console.log(dim('Try it: npx . search --corpus models/corpus.jsonl "how do plants make food"'));
  embedder.close();
}

async function load() {
  const started = performance.now();
  const loaded = await Embedder.load(model);
  const name = fileURLToPath(model).split(/[\\/]/).at(-1);
  console.log(
    `Loaded ${bold(name)} (${loaded.dimension} dimensions) in ${milliseconds(started)}; ${engine(loaded.info.runtime)}.`,
  );
  return loaded;
}

async function indexPassages(embedder) {
  const started = performance.now();
  const line = progressLine();
  const index = new SearchIndex({ embedder, storage: 'int8' });
  await index.addTexts(
    passages.map(({ id, text, ...payload }) => ({ id, text, payload })),
    { onProgress: (done, total) => line.update(`Indexing ${done} of ${total} passages`) },
  );
  const seconds = (performance.now() - started) / 1000;
  line.done(
    `Indexed ${passages.length} passages in ${seconds.toFixed(2)} s (${Math.round(passages.length / seconds)} passages/s).`,
  );
  return index;
}

async function search(index, query) {
  const started = performance.now();
  const hits = await index.search(query, { k: HITS, mode: 'vector' });
  return { hits, ms: milliseconds(started) };
}

function show(query, relevant, hits, ms) {
  console.log(`\n${bold(query)} ${dim(`(${ms})`)}`);
  for (const { id, score, text, payload } of hits) {
    const mark = relevant.includes(id) ? green('expected') : '';
    console.log(`  ${score.toFixed(3)}  ${bold(payload.title)}  ${dim(id)} ${mark}`.trimEnd());
    console.log(wrap(text, '         '));
  }
}
