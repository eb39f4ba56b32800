import type { ModelInput } from 'quintet';

import { readLabels } from './labels.js';

export interface Model {
  name: string;
  source: ModelInput;
  labels: readonly string[] | undefined;
}

const WEIGHTS = /\.(bin|safetensors)$/i;

/**
 * The model among chosen files: weights with their labels, or the files of a Hugging Face folder. `labels` alone are
 * for the model in use. Undefined if there is neither.
 */
export async function modelIn(files: readonly File[]): Promise<Partial<Model> | undefined> {
  const weights = files.filter(({ name }) => WEIGHTS.test(name));
  const [first] = weights;
  if (first && files.some(({ name }) => name === 'config.json')) {
    const parts = files.filter(({ name }) => name.endsWith('.json') || WEIGHTS.test(name));
    return {
      name: 'the folder',
      source: Object.fromEntries(parts.map((file) => [file.name, file])),
      labels: undefined,
    };
  }
  const labelsFile = files.find(({ name }) => /\.(txt|json)$/i.test(name));
  if (!first && !labelsFile) return undefined;
  const labels = labelsFile && (await readLabels(labelsFile));
  return first ? { name: first.name, source: first, labels } : { labels };
}
