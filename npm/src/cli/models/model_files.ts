// The inputs of `convert`: one model file, the files of a Hugging Face folder, or the folder itself.
import { basename } from 'node:path';
import type { ModelInput } from '../../index.js';
import { UsageError } from '../ending.js';
import { modelSource } from '../output/sources.js';

/** May be called again: a source is only opened when it is read. */
export function convertSource(inputs: readonly string[]): ModelInput {
  const [first] = inputs;
  if (inputs.length === 1 && first !== undefined) return modelSource(first);
  const names = inputs.map((path) => basename(path));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`two of the files are called '${twice}'`);
  return Object.fromEntries(inputs.map((path, i) => [names[i], modelSource(path)]));
}
