import type { Entity, LabelLoadOptions, ModelFolder, ModelSource } from 'quintet';
import { TextClassifier, TokenClassifier } from 'quintet';

type Source = ModelSource | ModelFolder;

/** Labels whole texts: their mood, topic or language. */
export const loadClassifier = (source: Source, options?: LabelLoadOptions) => TextClassifier.load(source, options);

/** Finds the entities in a text: names, places, dates. */
export const loadDetector = (source: Source, options?: LabelLoadOptions) => TokenClassifier.load(source, options);

/** The best labels first. A model of natural language inference also accepts your own labels. */
export const labelsOf = (model: TextClassifier, text: string, own: readonly string[]) =>
  model.classify(text, { topK: 8, ...(own.length > 0 && { labels: own }) });

/** Whole words, in the order of the text. */
export const entitiesIn = (model: TokenClassifier, text: string) => model.classify(text, { aggregation: 'first' });

/** The text in pieces: those that are entities, and those between them. */
export function piecesOf(text: string, entities: readonly Entity[]): (string | Entity)[] {
  const pieces: (string | Entity)[] = [];
  let at = 0;
  for (const entity of entities) {
    if (entity.start > at) pieces.push(text.slice(at, entity.start));
    pieces.push(entity);
    at = entity.end;
  }
  return at < text.length ? [...pieces, text.slice(at)] : pieces;
}
