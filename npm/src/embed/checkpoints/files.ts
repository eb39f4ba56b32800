// Files of a model that are read, or made, before the engine gets them.

import { QuintetError } from '../../base/errors.js';
import type { ModelFile } from '../../sources/types.js';
import { wholeFile } from '../../sources/whole_file.js';

export const modulesFile = 'modules.json';
export const settingsFile = 'config_sentence_transformers.json';

/** @throws QuintetError INPUT if there is no such file, FORMAT if it is longer; IO, ABORTED */
export function readFile(
  files: readonly ModelFile[],
  name: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = files.find((each) => each.name === name);
  if (!file) throw new QuintetError('INPUT', `load: ${name} is missing`, { reason: 'missing' });
  return wholeFile(file, maxBytes, signal);
}

export const jsonFile = (name: string, value: unknown): ModelFile => ({
  name,
  source: new TextEncoder().encode(JSON.stringify(value)),
});
