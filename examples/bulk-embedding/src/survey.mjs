// Finds the shards of a run and collects their bad lines.
import { writeAtomically } from './atomic_file.mjs';
import { runKey } from './run.mjs';
import { readShard } from './shard.mjs';

/**
 * Reads the headers of all shards and writes errors.jsonl.
 *
 * @param {import('./run.mjs').Run} run
 * @param {import('./run.mjs').Manifest} manifest
 * @returns {Promise<{ shards: string[], missing: Set<number>, passages: number, badLines: number }>}
 */
export async function surveyShards(run, manifest) {
  const found = { shards: [], missing: new Set(), passages: 0, badLines: 0 };
  await writeAtomically(run.errorsPath, errorLines(run, manifest, found));
  return found;
}

/** Whether all shards are there; stops at the first that is missing. */
export async function areShardsThere(run, manifest) {
  for await (const { shard } of shardsOf(run, manifest)) if (!shard) return false;
  return true;
}

async function* errorLines(run, manifest, found) {
  for await (const { chunk, path, shard } of shardsOf(run, manifest)) {
    if (!shard) {
      found.missing.add(chunk);
      continue;
    }
    found.shards.push(path);
    found.passages += shard.passages;
    found.badLines += shard.errors.length;
    for (const error of shard.errors) yield `${JSON.stringify(error)}\n`;
  }
}

/** Each chunk with its shard, undefined if there is none of this run. */
async function* shardsOf(run, manifest) {
  const key = runKey(manifest);
  for (let chunk = 0; chunk < manifest.chunks; ++chunk) {
    const path = run.shardPath(chunk);
    yield { chunk, path, shard: await readShard(path, { key, chunk }) };
  }
}
