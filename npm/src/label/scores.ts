// Turns logits into the scores of labels.

import { unsupported } from '../base/errors.js';
import type { LabelerUsage } from './calls.js';
import type { TextLabel } from './options.js';

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** Probabilities that add up to 1. */
export function softmax(logits: Iterable<number>): number[] {
  const values = Array.from(logits);
  const max = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = values.map((logit) => Math.exp(logit - max));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** The scores of a model's own labels. */
export function scoresOf(logits: Float32Array, scores: LabelerUsage['scores']): number[] {
  if (scores === 'softmax') return softmax(logits);
  return Array.from(logits, scores === 'sigmoid' ? sigmoid : Number);
}

/** The first labels by score. Those of the same score keep their order. */
export function bestLabels(labels: readonly string[], scores: readonly number[], topK = labels.length): TextLabel[] {
  return labels
    .map((label, i) => ({ label, score: scores[i]! }))
    .sort((a, b) => b.score - a.score)
    .slice(0, topK);
}

/** The places of an NLI model's logits. */
export interface Inference {
  entailment: number;
  contradiction: number;
}

/** Finds them like transformers' pipeline for zero-shot classification. */
export function inferenceOf(labels: readonly string[]): Inference {
  const entailment = labels.findIndex((label) => label.toLowerCase().startsWith('entail'));
  if (entailment < 0 || labels.length < 2) {
    throw unsupported(
      `classify: option 'labels' needs a model of natural language inference, which has a label 'entailment'; ` +
        `this one has ${labels.slice(0, 8).join(', ')}`,
    );
  }
  return { entailment, contradiction: entailment === 0 ? labels.length - 1 : 0 };
}

/** The scores of the caller's labels, from the logits of a hypothesis for each. */
export function entailmentScores(
  logits: readonly Float32Array[],
  { entailment, contradiction }: Inference,
  multiLabel: boolean,
): number[] {
  if (!multiLabel && logits.length > 1) return softmax(logits.map((each) => each[entailment]!));
  return logits.map((each) => softmax([each[contradiction]!, each[entailment]!])[1]!);
}
