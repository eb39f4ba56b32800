// The models that a site is built with.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { QuintetError } from '../../base/errors.js';
import type { ModelFolder, ModelInput } from '../../base/types.js';
import { loadStaticModel } from './static_model.js';
import { Transformer } from './transformer.js';
import type { WordModel } from './word_model.js';

/**
 * The default model, for English, or a static embedding by its folder, its files or its name on the Hub.
 * @throws QuintetError INPUT if quintet-models is not installed; FORMAT, IO, UNSUPPORTED, ABORTED
 */
export async function loadWordModel(source?: ModelInput, signal?: AbortSignal): Promise<WordModel> {
  if (source === undefined) return loadStaticModel((await defaultModels()).words, 'quintet-models/words', signal);
  return loadStaticModel(source, typeof source === 'string' ? source : 'the model', signal);
}

/** A transformer, by default the English one of quintet-models. Throws as loadWordModel does. */
export async function loadPassageModel(source?: ModelInput, signal?: AbortSignal): Promise<Transformer> {
  if (source === undefined)
    return Transformer.load((await defaultModels()).embedder, signal, 'quintet-models/embedder');
  return Transformer.load(source, signal);
}

interface DefaultModels {
  words: ModelFolder;
  embedder: URL;
}

async function defaultModels(): Promise<DefaultModels> {
  return (await import(pathToFileURL(findPackage()).href)) as DefaultModels;
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
