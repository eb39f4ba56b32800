// Folders of shards, read by the npm package `safetensors`, which shares no code with this one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIndependently } from '../../helpers/independent_safetensors.mjs';
import { jsonLines, quintet } from '../../helpers/quintet.mjs';
import { dimension, jsonLine, model, oneLiners } from '../golden_texts.mjs';

export const embedShards = (folder, input, ...args) =>
  quintet(['embed', '--model', model, '--output-shards', folder, ...args], { input });

/** { shard, first, records, errors, made } of each shard. */
export const shardLines = ({ stdout }) =>
  stdout === '' ? [] : jsonLines(stdout).filter(({ shard }) => shard !== undefined);

/** Lines; those in `bad` are not JSON. */
export const recordLines = (count, bad = []) =>
  Array.from({ length: count }, (_, i) =>
    bad.includes(i) ? '{"text": \n' : jsonLine({ id: `r${i}`, text: oneLiners[i % oneLiners.length].text }),
  );

/** { metadata, records: [{ …, embedding }], errors } */
export function readShard(path) {
  const bytes = readFileSync(path);
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
  const file = readIndependently(bytes);
  const json = (name) => JSON.parse(Buffer.from(file.getTensor(name)).toString());
  const floats = new Float32Array(Uint8Array.from(file.getTensor('embeddings')).buffer);
  const facts = json('records');
  expect(file.metadata.get('embeddings')).toMatchObject({ dtype: 'F32', shape: [facts.length, dimension] });
  const records = facts.map((fact, i) => ({
    ...fact,
    embedding: [...floats.subarray(i * dimension, (i + 1) * dimension)],
  }));
  return { metadata: header.__metadata__, records, errors: json('errors') };
}

export const namesIn = (folder) => readdirSync(folder).sort();

/** Name to bytes in base64 of every file. */
export const contentOf = (folder) =>
  Object.fromEntries(namesIn(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));

/** Every record of all shards, in their order. */
export const recordsIn = (folder) =>
  namesIn(folder)
    .map((name) => readShard(join(folder, name)))
    .flatMap(({ records, errors }) => [...records, ...errors].sort((a, b) => a.index - b.index));
