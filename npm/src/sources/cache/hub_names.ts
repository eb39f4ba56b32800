// Names of models of the Hugging Face Hub. Only the caller's thread knows them: a worker gets their files.

import { lazyPart } from '../../base/lazy_part.js';
import type { ModelInput } from '../../base/types.js';
import type { HubLoading } from '../hub/model.js';
import type { Reader } from '../hub/readers.js';
import type { CacheableSource } from './stored_source.js';

/** Loaded with the first such name. */
const naming = lazyPart(() => import('./hub_model.js'), 'findHubFiles');

/** The files of a model of the Hub; undefined if the source is not the name of one. */
export async function hubFilesOf(
  source: ModelInput,
  reader: Reader,
  options: HubLoading,
): Promise<CacheableSource[] | undefined> {
  const isName = typeof source === 'string' && source.startsWith('hf:');
  return isName ? (await naming()).findHubFiles(source, reader, options) : undefined;
}
