// The model of words that a site is built with.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { QuintetError } from '../../base/errors.js';
import type { ModelFolder, ModelInput } from '../../base/types.js';
import { loadStaticModel } from './static_model.js';
import type { WordModel } from './word_model.js';

/**
 * The default model, which knows English, or a static embedding by its folder, its files or its name on the Hub.
 * @throws QuintetError INPUT if quintet-models is not installed; FORMAT, IO, UNSUPPORTED, ABORTED
 */
export async function loadWordModel(source?: ModelInput, signal?: AbortSignal): Promise<WordModel> {
  if (source === undefined) return loadStaticModel(await defaultModel(), 'quintet-models/words', signal);
  return loadStaticModel(source, typeof source === 'string' ? source : 'the model', signal);
}

async function defaultModel(): Promise<ModelFolder> {
  const entry = findPackage();
  const { words } = (await import(pathToFileURL(entry).href)) as { words: ModelFolder };
  return words;
}

/** In the project that is built, or next to this package. */
function findPackage(): string {
  for (const base of [`${process.cwd()}/package.json`, fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(base).resolve('quintet-models');
    } catch {}
  }
  // In the repository it is a folder: dist/node_site.js, models/index.js.
  const folder = fileURLToPath(new URL('../models/index.js', import.meta.url));
  if (existsSync(folder)) return folder;
  throw new QuintetError('INPUT', 'the default model is not installed: npm install quintet-models, or name a model', {
    reason: 'missing',
  });
}
