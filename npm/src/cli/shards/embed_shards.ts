// Splits records into shards of equal size, and reports each shard and its bad records.
import { LineTally } from '../output/line_tally.js';
import type { Output } from '../output/output.js';
import type { RecordEmbedder } from '../records/record_embedder.js';
import type { InputRecord } from '../records/records.js';
import { PendingShard } from './pending_shard.js';
import type { ShardOrigin } from './shard_file.js';
import type { ShardFolder, WrittenShard } from './shard_folder.js';

export interface ShardingPlan {
  folder: ShardFolder;
  /** Records of a shard; the last one may have fewer. */
  size: number;
  /** Called when there are records. */
  source(): Omit<ShardOrigin, 'lines'>;
  embedder(): Promise<RecordEmbedder>;
}

export async function embedShards(
  batches: AsyncIterable<InputRecord[]>,
  plan: ShardingPlan,
  stdout: Output,
): Promise<LineTally> {
  const run = new ShardedRun(plan, stdout);
  for await (const records of batches) await run.add(records);
  return run.end();
}

class ShardedRun {
  private readonly tally = new LineTally();
  private shards = 0;
  private pending: PendingShard | undefined;

  constructor(
    private readonly plan: ShardingPlan,
    private readonly stdout: Output,
  ) {}

  async add(records: InputRecord[]): Promise<void> {
    const { size, folder, embedder } = this.plan;
    for (let at = 0; at < records.length; ) {
      this.pending ??= await PendingShard.begin(this.shards, this.shards * size, folder, embedder);
      const part = records.slice(at, at + size - this.pending.length);
      await this.pending.add(part);
      at += part.length;
      if (this.pending.length === size) await this.finish(this.pending);
    }
  }

  async end(): Promise<LineTally> {
    if (this.pending) await this.finish(this.pending);
    await this.plan.folder.checkEnd(this.shards);
    return this.tally;
  }

  private async finish(pending: PendingShard): Promise<void> {
    await this.report(await pending.finish(this.plan.source()));
    this.shards += 1;
    this.pending = undefined;
  }

  /** The shard's line comes last, and so marks the end of its report. */
  private async report({ summary, made }: WrittenShard): Promise<void> {
    const { shard, first, records, errors, cut } = summary;
    this.tally.lines += records + errors.length;
    this.tally.bad += errors.length;
    this.tally.cut += cut;
    for (const error of errors) await this.stdout.line(error);
    await this.stdout.json({ shard, first, records, errors: errors.length, made });
  }
}
