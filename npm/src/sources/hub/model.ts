// From the name of a model, hf:OWNER/NAME, then @REVISION, then :QUANT or /FILE, to its files.

import { files } from '#sources/files';

import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import type { HubOptions } from '../../base/types.js';
import { keptListings } from '../cache/stored_files.js';
import type { ModelFile, Reader } from '../types.js';
import { chosenFiles } from './chosen_files.js';
import { commitOf, isPath, listRepository } from './repository.js';
import { addressOf, hubAccess } from './requests.js';
import type { HubAccess, HubModel, HubName, KeptListings, Listing } from './types.js';

export interface HubLoading {
  hub?: HubOptions | undefined;
  signal?: AbortSignal | undefined;
}

/** The files that `reader` reads. */
export async function findHubFiles(source: string, reader: Reader, { hub, signal }: HubLoading): Promise<ModelFile[]> {
  const name = parseHubName(source);
  const access = await hubAccess(hub);
  const known = await keptIn(access).find(name.repository, name.revision);
  const { listing, fallback } = await listingOf({ access, name, signal }, known);
  const model: HubModel = { access, listing, fallback };
  return chosenFiles(listing.files, reader, name).map((chosen) => {
    const file = { ...chosen.file, model, partly: reader.isPartial === true };
    return { name: chosen.name, source: addressOf(file), hub: file };
  });
}

/** Listings of earlier loads. */
const keptIn = ({ folder }: HubAccess): KeptListings => (folder === undefined ? keptListings : files.hub.folder!(folder));

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

const defaultRevision = 'main';
const spelling = "'hf:OWNER/NAME', with @REVISION, :QUANT or /FILE behind it";

// What the Hub allows in names (validate_repo_id in huggingface_hub's utils/_validators.py).
const namePart = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_-])?';
const repositoryName = new RegExp(`^(${namePart}/${namePart})(?=$|[@:/])(.*)$`);

/** Also takes what begins with hf://, as in Python. */
export function parseHubName(text: string): HubName {
  const [, repository, rest] = repositoryName.exec(text.replace(/^hf:(\/\/(models\/)?)?/i, '')) ?? [];
  if (repository === undefined || /--|\.\./.test(repository)) throw wrongName(text);
  const { revision, behind } = revisionOf(rest!);
  if (!isPath(revision)) throw wrongName(text);
  if (behind === '') return { repository, revision };
  const what = behind.slice(1);
  if (behind[0] === ':' && /^[\w.-]+$/.test(what)) return { repository, revision, quant: what };
  if (behind[0] === '/' && isPath(what)) return { repository, revision, file: what };
  throw wrongName(text);
}

function revisionOf(rest: string): { revision: string; behind: string } {
  if (rest[0] !== '@') return { revision: defaultRevision, behind: rest };
  // Only these references have slashes: refs/pr/1, refs/convert/parquet.
  const [, revision = '', behind = ''] = /^@(refs\/[^/:]+\/[^/:]+|[^/:]*)(.*)$/.exec(rest) ?? [];
  return { revision, behind };
}

const wrongName = (text: string): QuintetError =>
  inputError('malformed', `'${text}' is not the name of a model of the Hugging Face Hub: it must be ${spelling}`);
