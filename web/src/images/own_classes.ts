import type { Classification, ImageClassifier, ImageInput } from 'quintet';
import { SearchIndex } from 'quintet';

/** The number of most similar examples that vote. */
const NEIGHBOURS = 5;

/**
 * Classes that are taught with examples. Nothing is trained: an example is stored as the vector that the network makes
 * of it, and a picture belongs to the class of the examples that are most similar.
 */
export class OwnClasses {
  /** Number of examples by class. */
  readonly examples = new Map<string, number>();
  #index: SearchIndex<string> | undefined;
  #count = 0;

  async add(model: ImageClassifier, label: string, image: ImageInput): Promise<void> {
    const vector = await vectorOf(model, image);
    this.#index ??= new SearchIndex({ dimension: vector.length });
    this.#index.add({ id: this.#count++, vector, payload: label });
    this.examples.set(label, (this.examples.get(label) ?? 0) + 1);
  }

  /** The classes of the nearest examples, best first. A score is a class's share of their votes. */
  async classify(model: ImageClassifier, image: ImageInput): Promise<Classification[]> {
    const hits = this.#index!.nearest(await vectorOf(model, image), { k: NEIGHBOURS });
    const labels = [...this.examples.keys()];
    return labels
      .map((label, index) => {
        const votes = hits.filter(({ payload }) => payload === label).length;
        return { label, index, score: votes / hits.length };
      })
      .sort((a, b) => b.score - a.score);
  }
}

/** The vector has length 1, so that the dot product of two is their cosine. */
async function vectorOf(model: ImageClassifier, image: ImageInput): Promise<Float32Array> {
  const vector = await model.features(image);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
