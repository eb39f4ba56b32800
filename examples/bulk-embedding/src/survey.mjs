// The shards of a run that are there, and what they say of bad lines.
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

async function* errorLines(run, manifest, found) {
  const key = runKey(manifest);
  for (let chunk = 0; chunk < manifest.chunks; ++chunk) {
    const path = run.shardPath(chunk);
    const shard = await readShard(path, { key, chunk });
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
