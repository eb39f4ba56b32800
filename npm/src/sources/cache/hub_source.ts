// Opens files of the Hugging Face Hub, and keeps them in a browser if they are to be kept.

import type { ByteSource } from '../bytes/byte_source.js';
import type { KnownPart } from '../bytes/http_download.js';
import { checkedSource } from '../hub/checked_source.js';
import { downloadHubFile, openHubFile, type HubOpening } from '../hub/open.js';
import type { HubFile } from '../hub/types.js';
import { openStored, type CacheEntry } from './stored_source.js';

/** `entry`: where a browser keeps the file, if it is to be kept. */
export async function openHubSource(file: HubFile, entry: CacheEntry | undefined, opening: HubOpening): Promise<ByteSource> {
  const { fallbacks, signal } = opening;
  const { fallback } = file.model;
  // Once for all files.
  if (fallback !== undefined && !fallbacks.some(({ code }) => code === 'kept_copy')) fallbacks.push({ code: 'kept_copy', message: fallback });
  if (!entry) return openHubFile(file, opening);
  const open = (part?: KnownPart) => downloadHubFile(file, signal, part);
  return openStored(entry, fallbacks, open, (whole) => checkedSource(whole, file));
}
