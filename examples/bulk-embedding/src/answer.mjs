// Answers a question from an index whose payloads are the offsets of the passages in the corpus.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Embedder, SearchIndex } from 'quintet';
import { embedder as bundledModel } from 'quintet-models';

const SHOWN = 3;
const CANDIDATES = 300;

/** Prints the best passages and the time the search took. */
export async function answer(question, indexPath, corpusPath) {
  const embedder = await Embedder.load(bundledModel);
  const index = await SearchIndex.load(indexPath);
  const started = performance.now();
  const hits = index.nearest(await embedder.embedQuery(question), { k: CANDIDATES });
  const ms = performance.now() - started;
  embedder.close();
  console.log(`\n${question}?  (${index.size} passages, ${ms.toFixed(1)} ms)`);
  for (const { score, payload } of distinct(hits).slice(0, SHOWN)) {
    const { id, title, text } = await passageAt(corpusPath, payload);
    console.log(`  ${score.toFixed(3)}  ${id}  ${title}\n         ${text.slice(0, 100)}…`);
  }
}

/** Drops copies of a passage, which have the same score. */
const distinct = (hits) => hits.filter(({ score }, i) => score !== hits[i - 1]?.score);

async function passageAt(path, offset) {
  for await (const line of createInterface({ input: createReadStream(path, { start: offset }) }))
    return JSON.parse(line);
  throw new Error(`${path} has no line at byte ${offset}`);
}
