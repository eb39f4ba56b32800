export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function summary(samples) {
  return { best: Math.min(...samples), median: median(samples), count: samples.length };
}

/** The summary of every list of samples in an object, at any depth. */
export function summaries(samples) {
  return Array.isArray(samples) ? summary(samples) : mapValues(samples, summaries);
}

export function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/** The smallest cosine between vectors at the same places of two lists. */
export const leastCosine = (vectors, others) => Math.min(...vectors.map((vector, i) => cosine(vector, others[i])));

function cosine(a, b) {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    squaresA += a[i] * a[i];
    squaresB += b[i] * b[i];
  }
  return product / Math.sqrt(squaresA * squaresB);
}

/** Whether two answers are the same to the last bit. */
export const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
