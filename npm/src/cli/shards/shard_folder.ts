// A folder of shards, which several runs may write to at once.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { QuintetError } from '../../base/errors.js';
import { AtomicFile } from '../output/atomic_file.js';
import { differenceOfOrigin, readShardSummary, shardPieces } from './shard_file.js';
import type { ShardContent, ShardOrigin, ShardSummary } from './shard_file.js';

export interface WrittenShard {
  summary: ShardSummary;
  /** False where it was there. */
  made: boolean;
}

export class ShardFolder {
  private constructor(
    private readonly path: string,
    /** Whether shards that were made of something else give way. */
    readonly replaces: boolean,
  ) {}

  static async open(path: string, replaces: boolean): Promise<ShardFolder> {
    await mkdir(path, { recursive: true });
    return new ShardFolder(path, replaces);
  }

  /** Undefined where it is not there, and where it is broken and gives way. */
  async read(shard: number): Promise<ShardSummary | undefined> {
    try {
      return await readShardSummary(this.pathOf(shard));
    } catch (error) {
      if (!(error instanceof QuintetError && error.code === 'FORMAT')) throw error;
      if (this.replaces) return undefined;
      throw this.conflict(shard, `is broken (${error.message})`, 'makes it again');
    }
  }

  /** Whether what is there is what would be made. Refused where it is not and may not be replaced. */
  isCurrent({ shard, origin }: ShardSummary, wanted: ShardOrigin): boolean {
    const difference = differenceOfOrigin(origin, wanted);
    if (difference !== undefined && !this.replaces) throw this.conflict(shard, difference, 'makes it again');
    return difference === undefined;
  }

  /** A shard that has come meanwhile stays if it is the same: engines start a task twice where it seems to hang. */
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

  /** Shards that an input of `count` shards has not. */
  async checkEnd(count: number): Promise<void> {
    const shards = (await readdir(this.path)).map(numberOf).filter((shard) => shard !== undefined);
    for (const shard of shards.sort((a, b) => a - b)) {
      if (shard < count) continue;
      if (!this.replaces) throw this.conflict(shard, 'lies beyond the end of the input', 'removes it');
      await rm(this.pathOf(shard));
    }
  }

  private async there(wanted: ShardSummary): Promise<WrittenShard> {
    const summary = await this.read(wanted.shard);
    if (summary === undefined) throw this.conflict(wanted.shard, 'came and went while it was made', 'makes it again');
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

/** Undefined for a name that no shard has. */
function numberOf(name: string): number | undefined {
  const digits = /^shard-(\d{5,})\.safetensors$/.exec(name)?.[1];
  if (digits === undefined || shardName(Number(digits)) !== name) return undefined;
  return Number(digits);
}
