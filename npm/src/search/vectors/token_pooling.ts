// Pools the vectors of a text's tokens, so that an index for late interaction holds fewer of them: tokens that mean
// nearly the same share a vector, their mean (Clavié, Chaffin and Adams 2024, arXiv:2409.14683). As in
// sentence-transformers and PyLate, clusters are made by Ward's method from cosine distances, and the first vector,
// that of [CLS], is left as it is.

/** More vectors than these are pooled in parts, since every two of a part have a distance. */
const maxPart = 1024;

/** `vectors`: row-major, of length 1. Of those after the first one, one in `factor` remains. */
export function pooledTokens(vectors: Float32Array, dimension: number, factor: number): Float32Array {
  const rowsOf = (begin: number, count: number) => vectors.subarray(begin * dimension, (begin + count) * dimension);
  const rows = vectors.length / dimension;
  const parts = [rowsOf(0, Math.min(1, rows))];
  for (let begin = 1; begin < rows; begin += maxPart) parts.push(pooledPart(rowsOf(begin, maxPart), dimension, factor));
  const pooled = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    pooled.set(part, at);
    at += part.length;
  }
  return pooled;
}

function pooledPart(vectors: Float32Array, dimension: number, factor: number): Float32Array {
  const count = vectors.length / dimension;
  const wanted = Math.max(1, Math.floor(count / factor));
  const clusters = clustersOf(wardMerges(squaredDistances(vectors, dimension)), wanted);
  const sums = new Float64Array(wanted * dimension);
  const sizes = new Uint32Array(wanted);
  for (const cluster of clusters) sizes[cluster]! += 1;
  vectors.forEach((value, i) => {
    const cluster = clusters[Math.floor(i / dimension)]!;
    sums[cluster * dimension + (i % dimension)]! += value;
  });
  return Float32Array.from(sums, (sum, i) => sum / sizes[Math.floor(i / dimension)]!);
}

/** The squares of the cosine distances between every two vectors, a row for each. */
function squaredDistances(vectors: Float32Array, dimension: number): Float64Array[] {
  const count = vectors.length / dimension;
  const rows = Array.from({ length: count }, () => new Float64Array(count));
  for (let i = 0; i < count; ++i) {
    for (let j = 0; j < i; ++j) {
      let dot = 0;
      for (let d = 0; d < dimension; ++d) dot += vectors[i * dimension + d]! * vectors[j * dimension + d]!;
      rows[i]![j] = rows[j]![i] = (1 - dot) ** 2;
    }
  }
  return rows;
}

/** Joins the cluster with vector `a` and the one with vector `b`. */
interface Merge {
  a: number;
  b: number;
  squared: number;
}

/**
 * All merges of Ward's method. A chain of nearest neighbors ends in two clusters that are nearest to each other, and
 * these may be merged before closer ones elsewhere (Murtagh 1983), so that no step looks for the closest pair of all.
 * Changes the distances.
 */
function wardMerges(squared: Float64Array[]): Merge[] {
  const merges: Merge[] = [];
  const sizes = new Uint32Array(squared.length).fill(1);
  const chain: number[] = [];
  while (merges.length < squared.length - 1) {
    if (chain.length === 0) chain.push(sizes.findIndex((size) => size > 0));
    for (;;) {
      const next = nearestTo(chain.at(-1)!, chain.at(-2), squared, sizes);
      if (next === chain.at(-2)) break;
      chain.push(next);
    }
    const [a, b] = chain.splice(-2) as [number, number];
    merges.push({ a, b, squared: squared[a]![b]! });
    join(a, b, squared, sizes);
  }
  return merges;
}

/** The nearest other cluster; of equally near ones the one `before` it in the chain, so that chains end. */
function nearestTo(cluster: number, before: number | undefined, squared: Float64Array[], sizes: Uint32Array): number {
  const row = squared[cluster]!;
  let nearest = before ?? -1;
  for (let i = 0; i < row.length; ++i) {
    if (sizes[i] === 0 || i === cluster) continue;
    if (nearest < 0 || row[i]! < row[nearest]!) nearest = i;
  }
  return nearest;
}

/** Makes `a` part of `b`, with the distances of Lance and Williams (1967) for Ward's method. */
function join(a: number, b: number, squared: Float64Array[], sizes: Uint32Array): void {
  const [rowA, rowB] = [squared[a]!, squared[b]!];
  const [sizeA, sizeB] = [sizes[a]!, sizes[b]!];
  sizes.forEach((size, i) => {
    if (size === 0 || i === a || i === b) return;
    const sum = (sizeA + size) * rowA[i]! + (sizeB + size) * rowB[i]! - size * rowA[b]!;
    rowB[i] = squared[i]![b] = sum / (sizeA + sizeB + size);
  });
  sizes[b] = sizeA + sizeB;
  sizes[a] = 0;
}

/**
 * The cluster of each vector after the closest merges, until `wanted` clusters are left. They are numbered by their
 * first vectors.
 */
function clustersOf(merges: Merge[], wanted: number): number[] {
  const parents = Array.from({ length: merges.length + 1 }, (_, i) => i);
  const rootOf = (i: number): number => (parents[i] === i ? i : (parents[i] = rootOf(parents[i]!)));
  const closest = merges.sort((one, other) => one.squared - other.squared).slice(0, merges.length + 1 - wanted);
  for (const { a, b } of closest) parents[rootOf(a)] = rootOf(b);
  const numbers = new Map<number, number>();
  return parents.map((_, i) => {
    const root = rootOf(i);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
}
