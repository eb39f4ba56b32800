// A shard while its records arrive. If a file of its name exists, nothing is computed until it is known
// whether that file was made from the same records.
import { createHash } from 'node:crypto';
import type { RecordEmbedder } from '../records/record_embedder.js';
import type { InputRecord } from '../records/records.js';
import type { ShardOrigin, ShardSummary } from './shard_file.js';
import type { ShardFolder, WrittenShard } from './shard_folder.js';
import { ShardRows } from './shard_rows.js';

export class PendingShard {
  /** Records so far. */
  length = 0;
  private readonly lines = createHash('sha256');
  private waiting: InputRecord[] = [];
  private rows: ShardRows | undefined;

  private constructor(
    private readonly shard: number,
    private readonly first: number,
    private readonly folder: ShardFolder,
    private readonly found: ShardSummary | undefined,
    private readonly embedder: () => Promise<RecordEmbedder>,
  ) {}

  /** `first`: index of its first record. `embedder` is called if there is something to embed. */
  static async begin(
    shard: number,
    first: number,
    folder: ShardFolder,
    embedder: () => Promise<RecordEmbedder>,
  ): Promise<PendingShard> {
    return new PendingShard(shard, first, folder, await folder.read(shard), embedder);
  }

  async add(records: InputRecord[]): Promise<void> {
    this.length += records.length;
    for (const { line } of records) {
      this.lines.update(`${line.number} ${line.offset} `).update(line.bytes).update('\n');
    }
    if (!this.found) await this.embed(records);
    else if (this.folder.replaces) this.waiting.push(...records);
  }

  async finish(source: Omit<ShardOrigin, 'lines'>): Promise<WrittenShard> {
    const { shard, first, folder, found } = this;
    const origin = { lines: this.lines.digest('hex'), ...source };
    if (found && folder.isCurrent(found, origin)) return { summary: found, made: false };
    await this.embed(this.waiting);
    const { content, errors, cut } = this.rows!;
    return folder.write({ shard, first, origin, records: content.facts.length, errors, cut }, content);
  }

  private async embed(records: InputRecord[]): Promise<void> {
    this.rows ??= new ShardRows(this.first, await this.embedder());
    await this.rows.add(records);
  }
}
