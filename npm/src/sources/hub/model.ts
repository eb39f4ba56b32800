// From the name of a model to its files.

import { ioError, messageOf, QuintetError } from '../../base/errors.js';
import type { HubOptions } from '../../base/types.js';
import type { HubAccess, HubFile, HubModel, KeptListings, Listing } from './types.js';
import { chosenFiles } from './chosen_files.js';
import { parseHubName, type HubName } from './hub_name.js';
import { readers, type Reader, type ReaderRow } from './readers.js';
import { commitOf, listRepository } from './repository.js';
import { hubAccess } from './settings.js';

export interface HubLoading {
  hub?: HubOptions | undefined;
  signal?: AbortSignal | undefined;
}

/** A file of a model, and what it is called in its folder. */
export interface NamedHubFile {
  name: string;
  file: HubFile;
}

/** `keptIn`: listings of earlier loads. */
export async function findModel(
  source: string,
  reader: Reader,
  { hub, signal }: HubLoading,
  keptIn: (access: HubAccess) => KeptListings,
): Promise<NamedHubFile[]> {
  const name = parseHubName(source);
  const access = await hubAccess(hub);
  const known = await keptIn(access).find(name.repository, name.revision);
  const asked = { access, name, signal };
  const { listing, fallback } = await listingOf(asked, known);
  const model: HubModel = { access, listing, fallback };
  const row: ReaderRow = readers[reader];
  return chosenFiles(listing.files, reader, name).map(({ name: called, file }) => {
    return { name: called, file: { ...file, model, partly: row.isPartial === true } };
  });
}

type Asked = Parameters<typeof listRepository>[0];
type Found = Pick<HubModel, 'listing' | 'fallback'>;

/** A commit never changes; of a branch or tag the Hub is asked whether it has moved. */
async function listingOf(asked: Asked, known: Listing | undefined): Promise<Found> {
  const { access, name } = asked;
  if (access.offline) return { listing: known ?? missing(name) };
  if (known?.isWhole && known.commit === name.revision) return { listing: known };
  try {
    if (known?.isWhole && (await commitOf({ ...asked, isOptional: true })) === known.commit) return { listing: known };
    return { listing: await listRepository({ ...asked, isOptional: known !== undefined }) };
  } catch (error) {
    if (!known || !isPassing(error)) throw error;
    return { listing: known, fallback: `the kept copy of commit ${known.commit}: ${messageOf(error)}` };
  }
}

function missing({ repository, revision }: HubName): never {
  throw ioError('offline', `hf:${repository}@${revision} is not kept here, and the Hub may not be asked (offline)`);
}

/** Whether the model may still be there, so that a kept copy will do. An abort is no reason, nor that it was deleted. */
const isPassing = (error: unknown): boolean =>
  error instanceof QuintetError && error.code === 'IO' && error.reason !== 'not_found';
