// A shard: the vectors of some records of an input, in a safetensors file with
//   embeddings  F32 [n, dimension]
//   records     U8: JSON, an array of what `quintet embed` prints for each row, without the vector
//   errors      U8: JSON, an array of the error records among them
// and metadata: `kind`, `version`, `dimension`, `shard`, `first` (index of the first record), `cut`
// (texts that were longer than the limit), and what it was made from: `lines`, `model`, `settings`.
import { pathToFileURL } from 'node:url';
import { QuintetError } from '../../base/errors.js';
import { layOut } from '../../safetensors/container.js';
import { openSafetensors, type SafetensorsFile } from '../../safetensors/index.js';

const KIND = 'quintet-embeddings';
const VERSION = '1';

/** The inputs of a shard: equal ones give the same shard. */
export interface ShardOrigin {
  /** SHA-256 of its lines, each with its number and offset. */
  lines: string;
  /** SHA-256 of the file. */
  model: string;
  settings: string;
}

/** Facts about a shard for reports. */
export interface ShardSummary {
  shard: number;
  /** Index of its first record. */
  first: number;
  origin: ShardOrigin;
  /** With a vector. */
  records: number;
  /** JSON of each error record. */
  errors: string[];
  cut: number;
}

export interface ShardContent {
  dimension: number;
  /** In pieces, row by row. */
  vectors: Float32Array[];
  /** JSON of each row. */
  facts: string[];
}

/** The bytes of the file, in pieces. */
export function shardPieces(summary: ShardSummary, { dimension, vectors, facts }: ShardContent): Uint8Array[] {
  const embeddings = vectors.map((rows) => new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  const records = jsonArray(facts);
  const errors = jsonArray(summary.errors);
  const { header, ordered } = layOut(metadataOf(summary, dimension), [
    { name: 'embeddings', dtype: 'F32', shape: [facts.length, dimension], pieces: embeddings },
    { name: 'records', dtype: 'U8', shape: [records.length], pieces: [records] },
    { name: 'errors', dtype: 'U8', shape: [errors.length], pieces: [errors] },
  ]);
  return [header, ...ordered.flatMap(({ pieces }) => pieces)];
}

/** Reads everything but the vectors and their records. Undefined if there is no such file. */
export async function readShardSummary(path: string): Promise<ShardSummary | undefined> {
  let file: SafetensorsFile;
  try {
    file = await openSafetensors(pathToFileURL(path));
  } catch (error) {
    if (error instanceof QuintetError && error.reason === 'not_found') return undefined;
    throw error;
  }
  try {
    return await summaryOf(file);
  } finally {
    await file.close();
  }
}

/** For a message; undefined if both are made from the same. */
export function differenceOfOrigin(one: ShardOrigin, other: ShardOrigin): string | undefined {
  if (one.lines !== other.lines) return 'was made from other lines';
  if (one.model !== other.model) return 'was made with another model';
  if (one.settings !== other.settings) return 'was made with other options';
  return undefined;
}

function metadataOf({ shard, first, origin, cut }: ShardSummary, dimension: number): Record<string, string> {
  return {
    kind: KIND,
    version: VERSION,
    dimension: String(dimension),
    shard: String(shard),
    first: String(first),
    cut: String(cut),
    ...origin,
  };
}

async function summaryOf(file: SafetensorsFile): Promise<ShardSummary> {
  const { kind, version, shard, first, cut, lines, model, settings } = file.metadata;
  if (kind !== KIND || version !== VERSION) throw broken('not a shard of embeddings');
  if (lines === undefined || model === undefined || settings === undefined) {
    throw broken('the metadata does not say what it was made from');
  }
  const embeddings = file.tensors.get('embeddings');
  if (embeddings?.dtype !== 'F32' || embeddings.shape.length !== 2) throw broken('there are no embeddings');
  return {
    shard: countIn(shard),
    first: countIn(first),
    origin: { lines, model, settings },
    records: embeddings.shape[0]!,
    errors: await errorsIn(file),
    cut: countIn(cut),
  };
}

function countIn(value = ''): number {
  if (!/^\d+$/.test(value)) throw broken('the metadata is invalid');
  return Number(value);
}

async function errorsIn(file: SafetensorsFile): Promise<string[]> {
  const tensor = file.tensors.get('errors');
  if (tensor?.dtype !== 'U8' || file.tensors.get('records')?.dtype !== 'U8') throw broken('there are no records');
  const { data } = await tensor.read();
  try {
    const errors = JSON.parse(new TextDecoder().decode(data as Uint8Array)) as unknown;
    if (Array.isArray(errors)) return errors.map((error) => JSON.stringify(error));
  } catch {
    // Reported below.
  }
  throw broken('the error records are invalid');
}

function jsonArray(elements: string[]): Uint8Array {
  return new TextEncoder().encode(`[${elements.join(',')}]`);
}

function broken(what: string): QuintetError {
  return new QuintetError('FORMAT', what, { reason: 'malformed', format: 'safetensors' });
}
