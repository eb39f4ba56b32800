// Checkpoints of Stanford's ColBERT (https://github.com/stanford-futuredata/ColBERT), as the folders that PyLate
// writes: their settings are in artifact.metadata, and the linear layer is a tensor of the model's file, where the
// engine finds it.

import { QuintetError } from '../../base/errors.js';
import { isA } from '../../base/values.js';
import type { ModelFile } from '../../sources/types.js';
import { jsonFile, modulesFile, readFile, settingsFile } from './files.js';

/** The checkpoint also lists the whole configuration of its training. */
const maxBytes = 1 << 16;
const configFile = 'config.json';

/** The settings that vectors depend on, with the defaults of ColBERTConfig. */
const defaults = {
  query_token_id: '[unused0]',
  doc_token_id: '[unused1]',
  query_maxlen: 32,
  doc_maxlen: 220,
  dim: 128,
  mask_punctuation: true,
  attend_to_mask_tokens: false,
};

/** The files of a folder of PyLate. `settingsName`: the file of the settings. */
export async function colbertFiles(
  files: readonly ModelFile[],
  settingsName: string,
  signal: AbortSignal | undefined,
): Promise<ModelFile[]> {
  const objectIn = async (name: string) => objectOf(await readFile(files, name, maxBytes, signal), name);
  const settings = settingsIn(await objectIn(settingsName), settingsName);
  return [
    ...files.filter(({ name }) => name !== settingsName && name !== configFile),
    jsonFile(configFile, { ...(await objectIn(configFile)), projection_dim: settings.dim }),
    jsonFile(modulesFile, [
      { path: '', type: 'Transformer' },
      { path: '1_MultiVectorMask', type: 'MultiVectorMask' },
    ]),
    jsonFile(settingsFile, {
      query_prefix: settings.query_token_id,
      document_prefix: settings.doc_token_id,
      query_length: settings.query_maxlen,
      document_length: settings.doc_maxlen,
      attend_to_expansion_tokens: settings.attend_to_mask_tokens,
      // By default it is punctuation.
      ...(!settings.mask_punctuation && { skiplist_words: [] }),
    }),
  ];
}

function objectOf(bytes: Uint8Array, file: string): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isA(value, 'Object')) return value as object;
  } catch (cause) {
    throw malformed(file, 'it is not JSON', cause);
  }
  throw malformed(file, 'it is not an object');
}

function settingsIn(given: object, file: string): typeof defaults {
  const settings = { ...defaults, ...given };
  for (const [name, usual] of Object.entries(defaults)) {
    const value = settings[name as keyof typeof defaults];
    if (typeof value === typeof usual) continue;
    throw malformed(file, `${name} is ${JSON.stringify(value)}, expected a ${typeof usual}`);
  }
  return settings;
}

const malformed = (file: string, what: string, cause?: unknown): QuintetError =>
  new QuintetError('FORMAT', `${file}: ${what}`, { reason: 'malformed', cause });
