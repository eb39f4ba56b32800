// The agreement of a converted classifier with its source, in the classes of pictures.
import { ImageClassifier, type ModelInput } from '../../index.js';

export interface ClassAgreement {
  pictures: number;
  /** Pictures with the same best class. */
  best: number;
  /** The share of the five best classes that both find, from 0 to 1. */
  top5: number;
}

const TOP = 5;

export async function classAgreement(
  source: ModelInput,
  converted: string,
  pictures: AsyncIterable<Uint8Array>,
): Promise<ClassAgreement> {
  const original = await ImageClassifier.load(source);
  try {
    const other = await ImageClassifier.load(converted);
    try {
      return await compared(original, other, pictures);
    } finally {
      other.close();
    }
  } finally {
    original.close();
  }
}

async function compared(
  original: ImageClassifier,
  other: ImageClassifier,
  pictures: AsyncIterable<Uint8Array>,
): Promise<ClassAgreement> {
  const agreement = { pictures: 0, best: 0, top5: 0 };
  for await (const picture of pictures) {
    // Some formats do not define how a picture is prepared: both get the same input.
    const { data, shape } = await original.prepare(picture);
    const expected = bestOf(await original.logits(data, shape));
    const found = bestOf(await other.logits(data, shape));
    agreement.pictures += 1;
    agreement.best += expected[0] === found[0] ? 1 : 0;
    agreement.top5 += expected.filter((index) => found.includes(index)).length / expected.length;
  }
  return { ...agreement, top5: agreement.top5 / agreement.pictures };
}

const bestOf = (logits: Float32Array): number[] =>
  [...logits.keys()].sort((a, b) => logits[b]! - logits[a]! || a - b).slice(0, TOP);

export const describeAgreement = ({ pictures, best, top5 }: ClassAgreement): string =>
  `classes: the same best one for ${best} of ${pictures} pictures, ${(100 * top5).toFixed(1)} % of the best ${TOP} in common`;
