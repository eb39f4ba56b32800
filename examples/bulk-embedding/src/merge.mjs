// Shards into one index.
import { SearchIndex } from 'quintet';
import { writeAtomically } from './atomic_file.mjs';

/**
 * Writes the index; in memory is one shard at a time.
 *
 * @param {{ shards: string[], badLines: number, isWhole: boolean }} found paths of shards in their order; whether there are all
 */
export async function mergeShards({ shards, badLines, isWhole }, run, manifest) {
  if (shards.length === 0) throw new Error('no chunk was embedded: set-aside.jsonl says why');
  const metadata = isWhole ? searchMetadata(manifest, badLines) : {};
  await writeAtomically(run.indexPath, await SearchIndex.merge(shards, { metadata }));
}

/** By this `quintet search --index` knows that the index is that of the corpus, and what it left out. */
function searchMetadata({ sha256, model }, badLines) {
  return {
    'search.corpus': sha256,
    'search.model': model,
    'search.settings': JSON.stringify({ normalize: true, lines: 'jsonl' }),
    ...(badLines > 0 && { 'search.badLines': String(badLines) }),
  };
}
