// The rows of a shard as they are computed.
import type { EmbeddingOutcome, RecordEmbedder } from '../records/record_embedder.js';
import { errorRecord, recordFacts } from '../records/record_json.js';
import type { InputRecord } from '../records/records.js';
import type { ShardContent } from './shard_file.js';

const RECORDS_PER_BATCH = 128;

export class ShardRows {
  /** JSON of each error record. */
  readonly errors: string[] = [];
  cut = 0;
  private readonly vectors: Float32Array[] = [];
  private readonly facts: string[] = [];

  /** `first`: index of the first record. */
  constructor(
    private readonly first: number,
    private readonly embedder: RecordEmbedder,
  ) {}

  get content(): ShardContent {
    const { vectors, facts } = this;
    return { dimension: this.embedder.dimension, vectors, facts };
  }

  async add(records: InputRecord[]): Promise<void> {
    for (let at = 0; at < records.length; at += RECORDS_PER_BATCH) {
      this.take(await this.embedder.embed(records.slice(at, at + RECORDS_PER_BATCH)));
    }
  }

  private take(outcomes: EmbeddingOutcome[]): void {
    const good = [];
    for (const outcome of outcomes) {
      const index = this.first + this.facts.length + this.errors.length;
      if (outcome.fault) {
        this.errors.push(errorRecord(outcome, index));
        continue;
      }
      this.facts.push(recordFacts(index, outcome));
      if (outcome.truncated) this.cut += 1;
      good.push(outcome.vector);
    }
    this.vectors.push(concatenated(good, this.embedder.dimension));
  }
}

function concatenated(rows: Float32Array[], dimension: number): Float32Array {
  const all = new Float32Array(rows.length * dimension);
  rows.forEach((row, i) => all.set(row, i * dimension));
  return all;
}
