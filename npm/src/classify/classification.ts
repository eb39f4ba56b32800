// From logits to classes.

import type { Classification } from './types.js';

/** The `count` likeliest classes, best first; equal ones in their order. */
export function likeliest(logits: Float32Array, labels: readonly string[], count: number): Classification[] {
  const highest = logits.reduce((highest, logit) => Math.max(highest, logit), -Infinity);
  const weights = Array.from(logits, (logit) => Math.exp(logit - highest));
  const sum = weights.reduce((sum, weight) => sum + weight, 0);
  return [...logits.keys()]
    .sort((a, b) => logits[b]! - logits[a]! || a - b)
    .slice(0, count)
    .map((index) => ({ label: labels[index]!, index, score: weights[index]! / sum }));
}
