// Finds the files of a model of the Hugging Face Hub.

import { hub as platform } from '#sources/hub';

import { addressOf } from '../hub/addresses.js';
import { findModel, type HubLoading } from '../hub/model.js';
import type { Reader } from '../hub/readers.js';
import type { HubAccess, KeptListings } from '../hub/types.js';
import { keptListings } from './kept_listings.js';
import type { CacheableSource } from './stored_source.js';

const keptIn = ({ folder }: HubAccess): KeptListings =>
  folder === undefined ? keptListings : platform.folder!(folder);

/** With their addresses as sources. */
export async function findHubFiles(source: string, reader: Reader, options: HubLoading): Promise<CacheableSource[]> {
  const found = await findModel(source, reader, options, keptIn);
  return found.map(({ name, file }) => ({ name, source: addressOf(file), hub: file }));
}
