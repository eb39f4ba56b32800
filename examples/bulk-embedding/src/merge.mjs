// Merges shards into one index.
import { SearchIndex } from 'quintet';
import { writeAtomically } from './atomic_file.mjs';

/**
 * Writes the index, with one shard in memory at a time.
 *
 * @param {{ shards: string[], badLines: number, isWhole: boolean }} found paths of the shards in order; whether all are
 * there
 */
export async function mergeShards({ shards, badLines, isWhole }, run, manifest) {
  if (shards.length === 0) throw new Error('no chunk was embedded; see set-aside.jsonl for the reasons');
  const metadata = isWhole ? searchMetadata(manifest, badLines) : {};
  await writeAtomically(run.indexPath, await SearchIndex.merge(shards, { metadata }));
}

/** Records for `quintet search --index` what the index was made from, and how many lines were left out. */
function searchMetadata({ sha256, model, quantize, prompt, promptName }, badLines) {
  const settings = {
    ...(prompt !== null && { prompt }),
    ...(promptName !== null && { promptName }),
    ...(quantize !== 'none' && { quantize }),
    lines: 'jsonl',
  };
  return {
    'search.corpus': sha256,
    'search.model': model,
    'search.settings': JSON.stringify(settings),
    ...(badLines > 0 && { 'search.badLines': String(badLines) }),
  };
}
