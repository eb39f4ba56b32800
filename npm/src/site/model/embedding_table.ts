// The table of a static embedding, in the layout of model2vec or of sentence-transformers: a row of `embeddings` a
// token, which `weights` scales and `mapping` chooses, where a model has them.

import { Sha256 } from '#platform/sha256';

import { QuintetError } from '../../base/errors.js';
import type { SafetensorsFile, StoredTensor } from '../../safetensors/types.js';

const tableNames = ['embeddings', 'embedding.weight'];

/** Read at once: a table may be larger than memory, and the tokens of a site lie close together, at its start. */
const blockRows = 4096;

export class EmbeddingTable {
  private constructor(
    private readonly table: StoredTensor,
    private readonly weights: Float32Array | undefined,
    private readonly mapping: ArrayLike<number> | undefined,
    readonly fingerprint: string,
  ) {}

  /** @throws QuintetError FORMAT if the file is not a static embedding */
  static async open(file: SafetensorsFile): Promise<EmbeddingTable> {
    const table = tableNames.map((name) => file.tensors.get(name)).find((tensor) => tensor !== undefined);
    if (table?.shape.length !== 2) throw broken('there is no static embedding in the model: no matrix `embeddings`');
    if (!/^(F16|BF16|F32|F64|I8)$/.test(table.dtype)) throw broken(`\`embeddings\` have the type ${table.dtype}`);
    const weights = await vectorOf(file, 'weights');
    const mapping = await vectorOf(file, 'mapping');
    const tokens = mapping?.length ?? table.shape[0]!;
    if (weights && weights.length !== tokens) throw broken(`${weights.length} weights for ${tokens} tokens`);
    if (mapping?.some((row) => !(Number.isInteger(row) && row >= 0 && row < table.shape[0]!)))
      throw broken('`mapping` names a row that does not exist');
    return new EmbeddingTable(table, weights, mapping, await fingerprintOf(file, table));
  }

  get dimension(): number {
    return this.table.shape[1]!;
  }

  /** Adds the row of each token to a vector: token `ids[i]` to vector `targets[i]` of `sums`. */
  async add(ids: readonly number[], targets: readonly number[], sums: Float32Array): Promise<void> {
    const tokens = this.mapping?.length ?? this.table.shape[0]!;
    const blocks = new Map<number, number[]>();
    ids.forEach((id, i) => {
      if (id >= tokens) return;
      const block = Math.floor((this.mapping?.[id] ?? id) / blockRows);
      const found = blocks.get(block);
      if (found) found.push(i);
      else blocks.set(block, [i]);
    });
    const width = this.dimension;
    for (const [block, members] of [...blocks].sort(([a], [b]) => a - b)) {
      const from = block * blockRows * width;
      const to = Math.min(from + blockRows * width, this.table.shape[0]! * width);
      const { data } = await this.table.read({ from, to, floats: 'float32' });
      const rows = data as ArrayLike<number>;
      for (const i of members) {
        const id = ids[i]!;
        const start = (this.mapping?.[id] ?? id) * width - from;
        const weight = this.weights?.[id] ?? 1;
        for (let k = 0; k < width; ++k) sums[targets[i]! * width + k]! += weight * rows[start + k]!;
      }
    }
  }
}

async function vectorOf(file: SafetensorsFile, name: string): Promise<Float32Array | undefined> {
  const tensor = file.tensors.get(name);
  if (!tensor) return undefined;
  if (tensor.shape.length !== 1) throw broken(`\`${name}\` is not a vector`);
  const { data } = await tensor.read({ floats: 'float32' });
  return Float32Array.from(data as ArrayLike<number | bigint>, Number);
}

/** A table may be too large to hash: its sizes, its metadata, and the rows at both ends identify a model. */
async function fingerprintOf(file: SafetensorsFile, table: StoredTensor): Promise<string> {
  const hash = new Sha256();
  const { dtype, shape } = table;
  const shapes = [...file.tensors].map(([name, tensor]) => [name, tensor.dtype, tensor.shape]);
  hash.update(new TextEncoder().encode(JSON.stringify([file.metadata, dtype, shape, shapes])));
  const values = shape[0]! * shape[1]!;
  const sample = Math.min(values, blockRows * shape[1]!);
  for (const from of [0, values - sample]) {
    const { data } = await table.read({ from, to: from + sample });
    hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest();
}

const broken = (message: string) => new QuintetError('FORMAT', message, { reason: 'malformed', format: 'safetensors' });
