// Indexes that are searched, each in a fresh process or page.
import { normal, uniform } from '../models/files/random.mjs';

const HITS = 10;

export const contestants = {
  /** Searches by vectors. */
  quintet: async ({ dimension, storage, threads }, platform) => {
    const { SearchIndex } = await platform.importLibrary('quintet');
    return new VectorSearch(dimension, async () => {
      const index = new SearchIndex({ dimension, storage, threads });
      while (threads > 1 && index.threads === 1) await new Promise((resolve) => setTimeout(resolve, 10));
      return index;
    });
  },

  /** Searches by vectors of tokens. */
  'quintet, tokens': async ({ dimension, storage }, platform) => {
    const { SearchIndex } = await platform.importLibrary('quintet');
    return new TokenSearch(dimension, () => new SearchIndex({ dimension, storage, vectors: 'multi', keywords: false }));
  },

  /** Searches by words. */
  'quintet, words': async (_, platform) => {
    const { SearchIndex } = await platform.importLibrary('quintet');
    return new WordSearch(async (texts) => {
      const index = new SearchIndex({ dimension: 1, storage: 'int8', keepTexts: false });
      // With the part for words already there, texts need not wait for it.
      await index.search('');
      const vector = Float32Array.of(1);
      let id = 0;
      for (const text of texts) index.add({ id: id++, vector, text });
      return (query) => index.search(query, { k: HITS, mode: 'keyword' });
    });
  },

  MiniSearch: async () => {
    const { default: MiniSearch } = await import('minisearch');
    return new WordSearch(async (texts) => {
      const index = new MiniSearch({ fields: ['text'] });
      let id = 0;
      for (const text of texts) index.add({ id: id++, text });
      return (query) => index.search(query).slice(0, HITS);
    });
  },
};

class VectorSearch {
  #dimension;
  #makeIndex;
  #next = uniform(3);

  constructor(dimension, makeIndex) {
    this.#dimension = dimension;
    this.#makeIndex = makeIndex;
  }

  /** Milliseconds of single searches among random vectors. */
  async search(vectors, searches) {
    const index = await this.#makeIndex();
    for (let i = 0; i < vectors; i++) index.add({ id: i, vector: this.#randomVector() });
    const samples = [];
    for (let i = 0; i < searches; i++) {
      const query = this.#randomVector();
      timed(samples, () => index.nearest(query, { k: HITS }));
    }
    return samples;
  }

  /**
   * Searches compared with a loop in plain JavaScript, which gives exact answers: { memory, times: { quintet, peer },
   * differences, threads }. `memory`: as a multiple of the vectors' own. Only in Node.
   */
  async compareWithLoop(vectors, searches) {
    const before = await usedBytes();
    const index = await this.#makeIndex();
    // Rotations of some vectors: generating a million would take minutes.
    const originals = Array.from({ length: 1000 }, () => this.#randomVector());
    const vectorOf = (i) =>
      rotated(originals[i % originals.length], Math.floor(i / originals.length) % this.#dimension);
    for (let i = 0; i < vectors; i++) index.add({ id: String(i), vector: vectorOf(i), payload: i });
    const memory = ((await usedBytes()) - before) / (vectors * this.#dimension);

    const loop = plainIndex(vectors, this.#dimension, vectorOf);
    const times = { quintet: [], peer: [] };
    let differences = 0;
    for (let i = 0; i < searches; i++) {
      const query = this.#randomVector();
      const hits = timed(times.quintet, () => index.nearest(query, { k: HITS }));
      if (i % 8 > 0) continue;
      const expected = timed(times.peer, () => loop(query));
      if (hits.some(({ id }, rank) => id !== String(expected[rank]))) differences++;
    }
    return { memory, times, differences, threads: index.threads };
  }

  #randomVector() {
    const vector = Float32Array.from({ length: this.#dimension }, () => this.#next() - 0.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }
}

/** Each token has the vector of its word and some noise, as in a model that looks at the context. */
class TokenSearch {
  #dimension;
  #makeIndex;
  #next = uniform(9);
  #words;

  constructor(dimension, makeIndex) {
    this.#dimension = dimension;
    this.#makeIndex = makeIndex;
    this.#words = Array.from({ length: 5000 }, () => normal(this.#next, dimension, { deviation: 1 }));
  }

  /**
   * Milliseconds of single searches, and how often the first answer was not that of a loop in plain JavaScript over all
   * vectors: { times: { quintet, peer }, differences }. A query has tokens of a passage and others.
   */
  async compareWithLoop(passages, tokensOfPassage, tokensOfQuery, searches) {
    const index = this.#makeIndex();
    const vectors = [];
    const words = [];
    for (let id = 0; id < passages; id++) {
      words.push(Array.from({ length: tokensOfPassage }, () => this.#word()));
      vectors.push(this.#vectorsOf(words[id]));
      index.add({ id, tokens: vectors[id] });
    }
    const times = { quintet: [], peer: [] };
    let differences = 0;
    for (let i = 0; i < searches; i++) {
      const asked = words[Math.floor(this.#next() * passages)];
      const query = this.#vectorsOf(
        Array.from({ length: tokensOfQuery }, (_, token) => (token % 4 > 0 ? asked[token] : this.#word())),
      );
      const begun = performance.now();
      const [best] = await index.search('', { vector: query, mode: 'vector', k: HITS });
      times.quintet.push(performance.now() - begun);
      if (i % 16 > 0) continue;
      const expected = timed(times.peer, () => this.#bestOf(query, vectors));
      if (best.id !== expected) differences++;
    }
    return { times, differences };
  }

  #word = () => Math.floor(this.#next() * this.#words.length);

  #vectorsOf(words) {
    const rows = new Float32Array(words.length * this.#dimension);
    words.forEach((word, i) => {
      const noise = normal(this.#next, this.#dimension, { deviation: 0.5 });
      const row = this.#words[word].map((value, j) => value + noise[j]);
      const length = Math.hypot(...row);
      rows.set(
        row.map((value) => value / length),
        i * this.#dimension,
      );
    });
    return rows;
  }

  #bestOf(query, entries) {
    const dimension = this.#dimension;
    const scoreOf = (entry) => {
      let sum = 0;
      for (let q = 0; q < query.length; q += dimension) {
        let best = -Infinity;
        for (let row = 0; row < entry.length; row += dimension) {
          let dot = 0;
          for (let j = 0; j < dimension; j++) dot += query[q + j] * entry[row + j];
          if (dot > best) best = dot;
        }
        sum += best;
      }
      return sum;
    };
    let best = { id: -1, score: -Infinity };
    entries.forEach((entry, id) => {
      const score = scoreOf(entry);
      if (score > best.score) best = { id, score };
    });
    return best.id;
  }
}

class WordSearch {
  #makeIndex;

  /** `makeIndex` accepts texts and returns a function that searches. */
  constructor(makeIndex) {
    this.#makeIndex = makeIndex;
  }

  /** Passages of made-up words: { indexing, memory, times }, in milliseconds and bytes. Only in Node. */
  async indexAndSearch(passages, searches) {
    const text = textsOfWords();
    const before = await usedBytes();
    const begin = performance.now();
    const texts = (function* () {
      for (let i = 0; i < passages; i++) yield text(60);
    })();
    const search = await this.#makeIndex(texts);
    await search('w1');
    const indexing = performance.now() - begin;
    const memory = (await usedBytes()) - before;
    const times = [];
    for (let i = 0; i < searches; i++) {
      const query = text(4);
      const begun = performance.now();
      await search(query);
      times.push(performance.now() - begun);
    }
    return { indexing, memory, times };
  }
}

/** Zipf's law: the rank of a word is inverse to its frequency. */
function textsOfWords() {
  const next = uniform(5);
  const word = () => `w${Math.floor(50_000 ** next())}`;
  return (length) => Array.from({ length }, word).join(' ');
}

/**
 * Bytes of the heap and of all buffers but shared ones. The process has more: code, and what the heap keeps for later.
 */
async function usedBytes() {
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

function rotated(original, by) {
  const vector = new Float32Array(original.length);
  vector.set(original.subarray(by));
  vector.set(original.subarray(0, by), original.length - by);
  return vector;
}

/** A function that gives the places of the best hits, by a loop over one array of bytes. */
function plainIndex(vectors, dimension, vectorOf) {
  const rows = new Int8Array(vectors * dimension);
  const scales = new Float32Array(vectors);
  for (let i = 0; i < vectors; i++)
    scales[i] = quantized(vectorOf(i), rows.subarray(i * dimension, (i + 1) * dimension));
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
