// The open input files of a conversion. Reads the parts that describe the model first, then ranges of data on request.

import { abortable } from '../base/abort.js';
import { yieldIfDue } from '../base/event_loop.js';
import { feedPiece, open } from '../engine/load/feed.js';
import { feedWanted, type SeekingTaker } from '../engine/load/feed_wanted.js';
import { inFile } from '../engine/load/file_errors.js';
import { type Outcome, unwrap } from '../engine/native.js';
import type { Engine } from '../engine/start/engine.js';
import type { NativeRange } from '../inspect/native.js';
import type { RandomAccessSource } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import { randomAccess } from '../sources/bytes/random_access.js';
import { rangeOf, readAhead } from '../sources/bytes/read_ahead.js';
import type { OpenableFile } from '../sources/types.js';

/** A native reader of all files of a model: a converter or a verifier. */
export interface FileTaker extends SeekingTaker {
  beginFile(name: string, totalBytes: number, seekable: boolean): Outcome<undefined>;
  endFile(): Outcome<boolean>;
}

export class ModelInputs {
  private readonly opened: RandomAccessSource[] = [];
  /** The files, for reading ranges. */
  private readonly files: RandomAccessSource[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly taker: FileTaker,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Opens all files and feeds the parts that describe the model. */
  async describe(files: readonly OpenableFile[]): Promise<void> {
    for (const [i, file] of files.entries()) {
      const { name } = file;
      const source = await this.open(file);
      this.files.push(readAhead(source));
      try {
        if (await this.feedFile(name, source, true)) await this.feedFile(name, source, false);
      } catch (error) {
        throw files.length > 1 ? inFile(error, name, i, files.length) : error;
      }
    }
  }

  /** Opens a file, to be closed by `close()`. */
  async open(file: OpenableFile): Promise<RandomAccessSource> {
    const opened = await open({ open: (signal) => file.open(signal, fetchSeekable) }, this.signal);
    const source = await randomAccess(opened, this.signal);
    this.opened.push(source);
    return source;
  }

  /** Feeds a range in pieces, and yields the results of `afterPiece` after each. */
  async *feedRange<T>(
    { file, offset, bytes }: NativeRange,
    afterPiece: () => Iterable<T>,
    source = this.files[file]!,
  ): AsyncGenerator<T, void, undefined> {
    for await (const piece of rangeOf(source, offset, bytes, this.signal)) {
      feedPiece(this.engine, this.taker, piece);
      yield* afterPiece();
      await abortable(yieldIfDue(), this.signal);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((source) => source.close()));
  }

  /** Returns true if the whole file must be fed again, to verify its checksums. */
  private async feedFile(name: string, source: RandomAccessSource, seekable: boolean): Promise<boolean> {
    const { engine, taker, signal } = this;
    engine.run(() => unwrap(taker.beginFile(name, source.size, seekable)));
    if (seekable) {
      await feedWanted(engine, taker, source, { signal });
    } else {
      for await (const piece of rangeOf(source, 0, source.size, signal)) {
        feedPiece(engine, taker, piece);
        await abortable(yieldIfDue(), signal);
      }
    }
    return engine.run(() => unwrap(taker.endFile()));
  }
}
