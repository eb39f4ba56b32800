// Exact search of quintet's SearchIndex; no peer has one.
import { normal, uniform } from '../../shared/model/random.mjs';

/** Milliseconds of single searches in an index of random unit vectors. */
export async function measureSearch(platform, { storage, vectors, dimension, hits, searches }) {
  const { SearchIndex } = await platform.importLibrary('quintet');
  const next = uniform(3);
  const index = new SearchIndex({ dimension, storage });
  for (let i = 0; i < vectors; i++) index.add({ id: String(i), vector: unitVector(next, dimension) });

  const samples = [];
  for (let i = 0; i < searches; i++) {
    const query = unitVector(next, dimension);
    const begin = performance.now();
    index.nearest(query, { k: hits });
    samples.push(performance.now() - begin);
  }
  return samples;
}

function unitVector(next, dimension) {
  const vector = normal(next, dimension, { deviation: 1 });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
