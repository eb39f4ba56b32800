// Turns the labels of tokens into entities, as transformers' TokenClassificationPipeline does
// (pipelines/token_classification.py).

import type { LabelerUsage, TokenLogits } from './calls.js';
import type { Entity, EntityOptions } from './options.js';
import { softmax } from './scores.js';

/** A token, or the tokens of a word, with the scores of all labels. */
interface Part {
  start: number;
  end: number;
  scores: number[];
}

/** A part with its label, which may begin with 'B-' or 'I-'. */
interface Labelled {
  start: number;
  end: number;
  label: string;
  score: number;
}

type Aggregation = NonNullable<EntityOptions['aggregation']>;
type WordAggregation = 'first' | 'average' | 'max';

/** The label of tokens outside of entities. */
const outside = 'O';

/** The entities of a text. */
export function entitiesOf(
  text: string,
  { logits, tokens }: TokenLogits,
  usage: LabelerUsage,
  aggregation: Aggregation,
): Entity[] {
  const { labels } = usage;
  const parts = Array.from({ length: tokens.length / 3 }, (_, i) => ({
    start: tokens[3 * i]!,
    end: tokens[3 * i + 1]!,
    scores: softmax(logits.subarray(i * labels.length, (i + 1) * labels.length)),
  }));
  const byToken = aggregation === 'none' || aggregation === 'simple';
  const isContinued = (i: number) => continuesWord(text, parts[i]!, tokens[3 * i + 2]!, usage.marksContinuations);
  const words = byToken ? parts : wordsOf(parts, isContinued, aggregation);
  const labelled = words.map((part) => labelOf(part, labels));
  const entities = aggregation === 'none' ? labelled : joined(labelled);
  return entities.filter(({ label }) => label !== outside).map((entity) => withText(text, entity));
}

/** The span without the white space at its ends, which some tokens contain. */
function withText(text: string, { label, score, start, end }: Labelled): Entity {
  const whole = text.slice(start, end);
  const trimmed = whole.trim();
  if (trimmed === '') return { label, score, start, end, text: whole };
  const begin = start + whole.indexOf(trimmed);
  return { label, score, start: begin, end: begin + trimmed.length, text: trimmed };
}

/**
 * Whether a token belongs to the word of the one before it. A WordPiece token does if its length differs from that of
 * its text, because it begins with '##'. Others do if no space is before them.
 */
function continuesWord(text: string, { start, end }: Part, characters: number, marksContinuations: boolean): boolean {
  if (characters === 0) return false;
  if (marksContinuations) return characters !== Array.from(text.slice(start, end)).length;
  return start > 0 && !text.slice(start - 1, start + 1).includes(' ');
}

function wordsOf(
  tokens: readonly Part[],
  isContinued: (index: number) => boolean,
  aggregation: WordAggregation,
): Part[] {
  const words: Part[][] = [];
  tokens.forEach((token, i) => {
    if (words.length > 0 && isContinued(i)) words.at(-1)!.push(token);
    else words.push([token]);
  });
  return words.map((word) => ({
    start: word[0]!.start,
    end: word.at(-1)!.end,
    scores: scoresOfWord(word, aggregation),
  }));
}

function scoresOfWord(word: readonly Part[], aggregation: WordAggregation): number[] {
  const { scores } = word[0]!;
  if (aggregation === 'first') return scores;
  if (aggregation === 'average') {
    return scores.map((_, label) => word.reduce((sum, token) => sum + token.scores[label]!, 0) / word.length);
  }
  return word.reduce((surest, token) => (Math.max(...token.scores) > Math.max(...surest.scores) ? token : surest))
    .scores;
}

function labelOf({ start, end, scores }: Part, labels: readonly string[]): Labelled {
  const score = Math.max(...scores);
  return { label: labels[scores.indexOf(score)]!, score, start, end };
}

/** The tag of a label, and whether it begins an entity. Labels without prefix continue the entity before them. */
function tagOf(label: string): { begins: boolean; tag: string } {
  return { begins: label.startsWith('B-'), tag: /^[BI]-/.test(label) ? label.slice(2) : label };
}

/** Joins neighbors with the same tag, unless the second begins an entity. */
function joined(parts: readonly Labelled[]): Labelled[] {
  const groups: Labelled[][] = [];
  for (const part of parts) {
    const { begins, tag } = tagOf(part.label);
    const last = groups.at(-1);
    if (last && !begins && tagOf(last.at(-1)!.label).tag === tag) last.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => ({
    label: group[0]!.label.slice(group[0]!.label.indexOf('-') + 1),
    score: group.reduce((sum, { score }) => sum + score, 0) / group.length,
    start: group[0]!.start,
    end: group.at(-1)!.end,
  }));
}
