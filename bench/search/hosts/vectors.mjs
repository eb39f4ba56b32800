// node vectors.mjs VECTORS DIMENSION THREADS SEARCHES
// Searches an index of random vectors in int8 and, as the peer, does the same in plain JavaScript; one JSON line. The answers are
// compared with the peer's, which are exact.
import { uniform } from '../../shared/model/random.mjs';
import { quintetEntry } from '../../shared/paths.mjs';

const { SearchIndex } = await import(quintetEntry());

const [vectors, dimension, threads, searches] = process.argv.slice(2).map(Number);
const HITS = 10;
const next = uniform(3);
const randomVector = () => {
  const vector = Float32Array.from({ length: dimension }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

const before = await used();
const index = new SearchIndex({ dimension, storage: 'int8', threads });
while (threads > 1 && index.threads === 1) await new Promise((resolve) => setTimeout(resolve, 10));
// Rotations of some vectors: making a million anew would take minutes.
const originals = Array.from({ length: 1000 }, randomVector);
const rotated = (i) => {
  const original = originals[i % originals.length];
  const by = Math.floor(i / originals.length) % dimension;
  const vector = new Float32Array(dimension);
  vector.set(original.subarray(by));
  vector.set(original.subarray(0, by), dimension - by);
  return vector;
};
for (let i = 0; i < vectors; i++) index.add({ id: String(i), vector: rotated(i), payload: i });
const memory = ((await used()) - before) / (vectors * dimension);

const plain = plainIndex();
const times = { quintet: [], peer: [] };
let differences = 0;
for (let i = 0; i < searches; i++) {
  const query = randomVector();
  const hits = timed(times.quintet, () => index.nearest(query, { k: HITS }));
  if (i % 8 > 0) continue;
  const expected = timed(times.peer, () => plain(query));
  if (hits.some(({ id }, rank) => id !== String(expected[rank]))) differences++;
}
console.log(JSON.stringify({ memory, times, differences, threads: index.threads }));
process.exit();

/** Bytes of the heap and of all buffers but shared ones. The process has more: code, and what the heap keeps for later. */
async function used() {
  // Buffers are freed after a collection, and some memory only by the one after it.
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timed(samples, job) {
  const begin = performance.now();
  const result = job();
  samples.push(performance.now() - begin);
  return result;
}

/** The slots of the best hits by a loop over one array of bytes. */
function plainIndex() {
  const rows = new Int8Array(vectors * dimension);
  const scales = new Float32Array(vectors);
  for (let i = 0; i < vectors; i++) scales[i] = quantized(rotated(i), rows.subarray(i * dimension, (i + 1) * dimension));
  return (query) => {
    const q = new Int8Array(dimension);
    const queryScale = quantized(query, q);
    const best = [];
    let floor = -Infinity;
    for (let i = 0, at = 0; i < vectors; i++) {
      let sum = 0;
      for (let j = 0; j < dimension; j++) sum += q[j] * rows[at++];
      const score = sum * scales[i] * queryScale;
      if (score <= floor) continue;
      best.push({ i, score });
      best.sort((a, b) => b.score - a.score || a.i - b.i).splice(HITS);
      if (best.length === HITS) floor = best[HITS - 1].score;
    }
    return best.map(({ i }) => i);
  };
}

function quantized(vector, q) {
  const scale = Math.fround(vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127);
  // Ties to even, by a double that has no bits left for fractions.
  vector.forEach((value, i) => (q[i] = value / scale + 1.5 * 2 ** 52 - 1.5 * 2 ** 52));
  return scale;
}
