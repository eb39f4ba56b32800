// A shard: the passages of one chunk as a saved search index. Its metadata have what it was made from, and the bad
// lines.
import { openSafetensors } from 'quintet/safetensors';
import { writeAtomically } from './atomic_file.mjs';

/**
 * Entries are as `quintet search --index` makes them: the id is the line number, the payload the line's offset.
 *
 * @param {import('quintet').SearchIndex} index an empty one
 * @param {import('./passages.mjs').Passage[]} passages
 * @param {{ vectors: Float32Array, dimension: number }} encoding of their texts
 */
export async function writeShard(path, { key, chunk, index, passages, errors, encoding: { vectors, dimension } }) {
  passages.forEach(({ line, offset }, i) => {
    index.add({ id: line, vector: vectors.subarray(i * dimension, (i + 1) * dimension), payload: offset });
  });
  const metadata = { 'bulk.run': key, 'bulk.chunk': String(chunk), 'bulk.errors': JSON.stringify(errors) };
  await writeAtomically(path, [await index.save({ metadata })]);
}

/**
 * Reads the header of a finished shard; undefined if there is none of this run.
 *
 * @returns {Promise<{ passages: number, errors: { line: number, offset: number, error: string }[] } | undefined>}
 */
export async function readShard(path, { key, chunk }) {
  let file;
  try {
    file = await openSafetensors(path);
  } catch (error) {
    // Missing or incomplete: it must be made.
    if (error.code === 'FORMAT' || error.reason === 'not_found') return undefined;
    throw error;
  }
  try {
    const { metadata, tensors } = file;
    if (metadata['bulk.run'] !== key || metadata['bulk.chunk'] !== String(chunk)) return undefined;
    return { passages: tensors.get('vectors').shape[0], errors: JSON.parse(metadata['bulk.errors']) };
  } finally {
    await file.close();
  }
}
