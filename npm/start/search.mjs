// Indexes the bundled corpus with the bundled embedder, and answers questions.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Embedder, SearchIndex } from 'quintet';
import { corpus, embedder as model, queries } from '../../models/index.js';
import { bold, dim, engine, green, milliseconds, progressLine, wrap } from './terminal.mjs';

const QUESTIONS = 6;
const HITS = 2;
const TEXTS_PER_CALL = 16;

const passages = (await readFile(corpus, 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
const questions = JSON.parse(await readFile(queries, 'utf8'));

/** Shows the hits of the first questions, and how many of all questions are answered. */
export async function answerQuestions() {
  const embedder = await load();
  const index = await indexPassages(embedder);
  let found = 0;
  for (const [i, { query, relevant }] of questions.entries()) {
    const { hits, ms } = await search(embedder, index, query);
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
  const index = new SearchIndex({ dimension: embedder.dimension, storage: 'int8' });
  let tokens = 0;
  for (let done = 0; done < passages.length; done += TEXTS_PER_CALL) {
    const batch = passages.slice(done, done + TEXTS_PER_CALL);
    const encoded = await embedder.encode(batch.map(({ text }) => text));
    for (const [i, passage] of batch.entries()) {
      const vector = encoded.vectors.subarray(i * encoded.dimension, (i + 1) * encoded.dimension);
      index.add(passage.id, vector, passage);
      tokens += encoded.tokens[i];
    }
    line.update(`Indexing ${done + batch.length} of ${passages.length} passages`);
  }
  const seconds = (performance.now() - started) / 1000;
  line.done(
    `Indexed ${passages.length} passages, ${tokens} tokens, in ${seconds.toFixed(2)} s ` +
      `(${Math.round(tokens / seconds)} tokens/s).`,
  );
  return index;
}

async function search(embedder, index, query) {
  const started = performance.now();
  const hits = index.search(await embedder.embed(query), { k: HITS });
  return { hits, ms: milliseconds(started) };
}

function show(query, relevant, hits, ms) {
  console.log(`\n${bold(query)} ${dim(`(${ms})`)}`);
  for (const { id, score, payload } of hits) {
    const mark = relevant.includes(id) ? green('expected') : '';
    console.log(`  ${score.toFixed(3)}  ${bold(payload.title)}  ${dim(id)} ${mark}`.trimEnd());
    console.log(wrap(payload.text, '         '));
  }
}
