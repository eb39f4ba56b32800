// KV cache files, read whole into the engine that converts files. They stay there until the process ends.

import { feedAll } from '../../engine/load/feed.js';
import { unwrap } from '../../engine/native.js';
import type { Engine } from '../../engine/start/engine.js';
import type { ModelSource } from '../../index.js';
import { obtainFilesEngine } from '../../inspect/engine.js';
import type { NativeFilesModule, NativeKvCacheFile } from '../../inspect/native.js';
import { fetchSeekable } from '../../sources/bytes/http_ranges.js';
import { randomAccess } from '../../sources/bytes/random_access.js';
import { openSource } from '../../sources/open_source.js';

export type KvDtype = 'F32' | 'F16' | 'BF16';
export type KvGroup = 32 | 64 | 128;

/** The facts about such a file. */
export interface KvCacheFacts {
  /** Layers with keys and values. */
  layers: number;
  kvHeads: number;
  positions: number;
  headDim: number;
  /** For packed values, their type before compression. */
  dtype: KvDtype;
  /** 'float': rounded through INT4, stored as floats. */
  layout: 'plain' | 'float' | 'packed';
  /** Values that share a scale; 0 if the layout is plain. */
  group: number;
  /** Whether the token ids are stored. */
  tokens: boolean;
  /** Size of keys and values, scales included. */
  dataBytes: number;
}

/** The form of a file, as `saveCache` expects it. */
export interface KvForm {
  dtype: KvDtype;
  compression: 'none' | 'INT4';
  layout?: 'packed' | 'float' | undefined;
  groupSize?: KvGroup | undefined;
}

/** The difference between two caches. */
export interface KvQuality {
  rmse: number;
  /** Null: infinite, because a tensor has no error at all. */
  snrDb: number | null;
  cosineSimilarity: number;
  maxError: number;
  qualityLevel: 'EXCELLENT' | 'GOOD' | 'ACCEPTABLE' | 'POOR';
  /** The limits that are exceeded. */
  violations: string[];
}

/** The form in which the engine reports it. */
interface NativeQuality {
  rmse: number;
  snr_db: number | null;
  cosine_similarity: number;
  max_error: number;
  quality_level: KvQuality['qualityLevel'];
  violations: string[];
}

export class KvCacheFile {
  private constructor(
    private readonly engine: Engine<NativeFilesModule>,
    private readonly native: NativeKvCacheFile,
    readonly facts: KvCacheFacts,
  ) {}

  static async read(file: ModelSource): Promise<KvCacheFile> {
    const engine = await obtainFilesEngine();
    const source = await randomAccess(await openSource(file, { download: fetchSeekable }));
    try {
      const native = engine.run(({ KvCacheFile: Native }) => new Native(source.size));
      await feedAll(engine, native, source, {});
      const facts = JSON.parse(engine.run(() => unwrap(native.finish()))) as KvCacheFacts;
      return new KvCacheFile(engine, native, facts);
    } finally {
      await source.close();
    }
  }

  /** The bytes of the file in another form. */
  *pieces(form: KvForm): Generator<Uint8Array, void, undefined> {
    const { engine, native } = this;
    const writer = engine.run(() => unwrap(native.write(JSON.stringify(form))));
    try {
      // Copied: the view becomes invalid when the memory grows.
      const next = () => engine.run(() => unwrap(writer.take()).slice());
      for (let piece; (piece = next()).length > 0; ) yield piece;
    } finally {
      if (engine.usable) writer.delete();
    }
  }

  /** The difference between `other` and this one. */
  compare(other: KvCacheFile): KvQuality {
    const quality = JSON.parse(this.engine.run(() => unwrap(this.native.compare(other.native)))) as NativeQuality;
    const { rmse, snr_db: snrDb, cosine_similarity: cosineSimilarity, max_error: maxError } = quality;
    return {
      rmse,
      snrDb,
      cosineSimilarity,
      maxError,
      qualityLevel: quality.quality_level,
      violations: quality.violations,
    };
  }
}
