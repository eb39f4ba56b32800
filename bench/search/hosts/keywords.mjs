// node keywords.mjs LIBRARY PASSAGES SEARCHES
// Indexes passages of made-up words and searches for some of them; one JSON line. LIBRARY: quintet or minisearch.
import { uniform } from '../../shared/model/random.mjs';
import { quintetEntry } from '../../shared/paths.mjs';

const [library, ...numbers] = process.argv.slice(2);
const [passages, searches] = numbers.map(Number);
const WORDS = 60;
const VOCABULARY = 50_000;
const HITS = 10;
const next = uniform(5);
// Zipf's law: the rank of a word is inverse to its frequency.
const word = () => `w${Math.floor(VOCABULARY ** next())}`;
const text = (length) => Array.from({ length }, word).join(' ');

globalThis.gc();
const before = used();
const begin = performance.now();
const search = await { quintet: withQuintet, minisearch: withMiniSearch }[library]();
await search('w1');
const indexing = performance.now() - begin;
globalThis.gc();
const memory = used() - before;
const times = [];
for (let i = 0; i < searches; i++) {
  const query = text(4);
  const started = performance.now();
  await search(query);
  times.push(performance.now() - started);
}
console.log(JSON.stringify({ indexing, memory, times }));

function used() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function withQuintet() {
  const { SearchIndex } = await import(quintetEntry());
  const index = new SearchIndex({ dimension: 1, storage: 'int8', keepTexts: false });
  // With the part for words already there, texts need not wait for it.
  await index.search('');
  const vector = Float32Array.of(1);
  for (let i = 0; i < passages; i++) index.add({ id: i, vector, text: text(WORDS) });
  return (query) => index.search(query, { k: HITS, mode: 'keyword' });
}

async function withMiniSearch() {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch({ fields: ['text'] });
  for (let i = 0; i < passages; i++) index.add({ id: i, text: text(WORDS) });
  return (query) => index.search(query).slice(0, HITS);
}
