// What repositories of the Hub contained when their files were kept in the browser: a branch is then only asked whether it
// has moved, and without a network the kept files still make a model.

import type { KeptListings, Listing } from '../hub/types.js';
import { deleteStored, StoredFile, storedNames } from './stored_files.js';

/** hf:OWNER/NAME@REVISION: the name under which a model is kept. Its files are called so with /PATH. */
export const keptName = ({ repository, revision }: Pick<Listing, 'repository' | 'revision'>): string =>
  `hf:${repository}@${revision}`;

export const keptListings: KeptListings = {
  async find(repository, revision) {
    try {
      const file = await StoredFile.find(keptName({ repository, revision }));
      const { bytes } = file?.notes ?? {};
      return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(await file!.piece(0, bytes))) as Listing);
    } catch {
      // No access to storage, or damaged.
      return undefined;
    }
  },
};

/** Keeps a listing, and deletes files of an earlier commit that are not in it. */
export async function keepListing(listing: Listing): Promise<void> {
  const name = keptName(listing);
  const file = await StoredFile.create(name, { version: listing.commit });
  const bytes = new TextEncoder().encode(JSON.stringify(listing));
  await file.put('last', bytes);
  await file.note({ bytes: bytes.length, used: true });
  const paths = new Set(listing.files.map(({ path }) => `${name}/${path}`));
  const gone = (await storedNames()).filter((each) => each.startsWith(`${name}/`) && !paths.has(each));
  await Promise.all(gone.map(deleteStored));
}
