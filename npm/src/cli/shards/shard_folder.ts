// A folder of shards, to which several runs may write at once.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { QuintetError } from '../../base/errors.js';
import { AtomicFile } from '../output/atomic_file.js';
import type { ShardContent, ShardOrigin, ShardSummary } from './shard_file.js';
import { differenceOfOrigin, readShardSummary, shardPieces } from './shard_file.js';

export interface WrittenShard {
  summary: ShardSummary;
  /** False if it already existed. */
  made: boolean;
}

export class ShardFolder {
  private constructor(
    private readonly path: string,
    /** Whether shards that were made of something else are overwritten. */
    readonly replaces: boolean,
  ) {}

  static async open(path: string, replaces: boolean): Promise<ShardFolder> {
    await mkdir(path, { recursive: true });
    return new ShardFolder(path, replaces);
  }

  /** Undefined if there is none, or if it is broken and will be overwritten. */
  async read(shard: number): Promise<ShardSummary | undefined> {
    try {
      return await readShardSummary(this.pathOf(shard));
    } catch (error) {
      if (!(error instanceof QuintetError && error.code === 'FORMAT')) throw error;
      if (this.replaces) return undefined;
      throw this.conflict(shard, `is broken (${error.message})`, 'overwrites it');
    }
  }

  /** Whether the shard is the one that this run would make. Throws if it is not and must not be overwritten. */
  isCurrent({ shard, origin }: ShardSummary, wanted: ShardOrigin): boolean {
    const difference = differenceOfOrigin(origin, wanted);
    if (difference !== undefined && !this.replaces) throw this.conflict(shard, difference, 'overwrites it');
    return difference === undefined;
  }

  /** A shard that appeared meanwhile stays if it is the same: job engines may start a slow task twice. */
  async write(summary: ShardSummary, content: ShardContent): Promise<WrittenShard> {
    const file = await AtomicFile.create(this.pathOf(summary.shard));
    try {
      for (const piece of shardPieces(summary, content)) await file.write(piece);
      await file.finishWriting();
      if (this.replaces) await file.commit();
      else if (!(await file.commitUnlessThere())) return await this.there(summary);
      return { summary, made: true };
    } finally {
      await file.discard();
    }
  }

  /** Rejects or removes shards beyond the `count` of the input. */
  async checkEnd(count: number): Promise<void> {
    const shards = (await readdir(this.path)).map(numberOf).filter((shard) => shard !== undefined);
    for (const shard of shards.sort((a, b) => a - b)) {
      if (shard < count) continue;
      if (!this.replaces) throw this.conflict(shard, 'is beyond the end of the input', 'removes it');
      await rm(this.pathOf(shard));
    }
  }

  private async there(wanted: ShardSummary): Promise<WrittenShard> {
    const summary = await this.read(wanted.shard);
    if (summary === undefined)
      throw this.conflict(wanted.shard, 'was written and removed by another run', 'overwrites it');
    this.isCurrent(summary, wanted.origin);
    return { summary, made: false };
  }

  private pathOf(shard: number): string {
    return join(this.path, shardName(shard));
  }

  private conflict(shard: number, what: string, remedy: string): QuintetError {
    return new QuintetError('INPUT', `${this.pathOf(shard)} ${what}; --replace ${remedy}`, { reason: 'mismatch' });
  }
}

function shardName(shard: number): string {
  return `shard-${String(shard).padStart(5, '0')}.safetensors`;
}

/** Undefined if the name is not that of a shard. */
function numberOf(name: string): number | undefined {
  const digits = /^shard-(\d{5,})\.safetensors$/.exec(name)?.[1];
  if (digits === undefined || shardName(Number(digits)) !== name) return undefined;
  return Number(digits);
}
