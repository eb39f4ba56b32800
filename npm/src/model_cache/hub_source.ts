// Models of the Hugging Face Hub: loaded with the first name that begins with `hf:`.

import { hub as platform } from '#platform/hub';

import type { ModelSource } from '../base/types.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { checkedSource } from '../hub/checked_source.js';
import { findModel, type HubLoading } from '../hub/model.js';
import { addressOf, downloadHubFile, openHubFile, type HubOpening } from '../hub/open.js';
import type { Reader } from '../hub/readers.js';
import type { HubFile } from '../platform/hub.js';
import { keptListings } from './kept_listings.js';
import { openStored, type CacheableSource, type CacheEntry } from './stored_source.js';

/** The files of a model, with their addresses as sources. */
export async function findHubFiles(source: string, reader: Reader, options: HubLoading): Promise<CacheableSource[]> {
  const found = await findModel(source, reader, options, platform.folder?.() ?? keptListings);
  return found.map(({ name, file }) => ({ name, source: addressOf(file) as ModelSource, hub: file }));
}

/** `entry`: where a browser keeps the file, if it is to be kept. */
export async function openHubSource(file: HubFile, entry: CacheEntry | undefined, opening: HubOpening): Promise<ByteSource> {
  const { fallbacks, signal } = opening;
  const { fallback } = file.model;
  // Once for all files.
  if (fallback !== undefined && !fallbacks.includes(fallback)) fallbacks.push(fallback);
  if (!entry) return openHubFile(file, opening);
  const open = (part?: Parameters<typeof downloadHubFile>[2]) => downloadHubFile(file, signal, part);
  return openStored(entry, fallbacks, open, (whole) => checkedSource(whole, file));
}
