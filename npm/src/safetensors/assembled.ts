// One safetensors file with tensors of others, of which only the needed bytes are read: those of a split model, or a part of
// them. A server without range requests sends its file as a whole; then the rest is dropped as it arrives.

import { allocate } from '../base/allocation.js';
import { inFile } from '../engine/load/file_errors.js';
import { type ByteSource, chunkBytes } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import { randomAccess } from '../sources/bytes/random_access.js';
import type { OpenableFile } from '../sources/types.js';
import { type Frame, readFrame } from './container.js';
import { formatHeader, type TensorEntry } from './header.js';
import { broken } from './json.js';

/** Bytes of one of the files. */
export interface Range {
  file: number;
  begin: number;
  end: number;
}

/** A tensor whose data is that of the ranges, one after the other. */
export interface PlacedTensor {
  name: string;
  dtype: string;
  shape: readonly number[];
  ranges: readonly Range[];
}

export interface Assembly {
  /** The tensors of the new file, from those of all files. */
  arrange(tensors: readonly PlacedTensor[], metadata: Record<string, string>): readonly PlacedTensor[];
  /** Whether the ranges may lie in another order than in the files. */
  anyOrder?: boolean;
}

/** Its name is that of the first file. */
export function assembledFile(files: readonly OpenableFile[], assembly: Assembly): OpenableFile {
  return {
    name: files[0]!.name,
    isRemote: files.some(({ isRemote }) => isRemote),
    open: (signal) => openAssembled(files, assembly, signal),
  };
}

async function openAssembled(
  files: readonly OpenableFile[],
  { arrange, anyOrder = false }: Assembly,
  signal: AbortSignal | undefined,
): Promise<ByteSource> {
  const opened: OpenedFile[] = [];
  const close = async () => void (await Promise.all(opened.map((file) => file.close())));
  try {
    const metadata: Record<string, string> = {};
    const tensors: PlacedTensor[] = [];
    for (const [number, file] of files.entries()) {
      try {
        opened.push(await OpenedFile.open(file, anyOrder, signal));
        const frame = await opened[number]!.frame();
        Object.assign(metadata, frame.metadata);
        tensors.push(...placedIn(number, frame));
      } catch (error) {
        throw inFile(error, file.name, number, files.length);
      }
    }
    const arranged = [...arrange(tensors, metadata)].sort((a, b) => compareRanges(a.ranges[0]!, b.ranges[0]!));
    const ranges = arranged.flatMap((tensor) => tensor.ranges);
    const entries = entriesOf(arranged);
    const header = formatHeader({ metadata, entries });
    const pieces = piecesOf(header, ranges, opened);
    return {
      size: header.length + (entries.at(-1)?.end ?? 0),
      read: async () => (await pieces.next()).value ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const placedIn = (file: number, { entries, dataStart }: Frame): PlacedTensor[] =>
  entries.map(({ name, dtype, shape, begin, end }) => ({
    name,
    dtype,
    shape,
    ranges: [{ file, begin: dataStart + begin, end: dataStart + end }],
  }));

const compareRanges = (a: Range, b: Range): number => a.file - b.file || a.begin - b.begin || a.end - b.end;

function entriesOf(tensors: readonly PlacedTensor[]): TensorEntry[] {
  let end = 0;
  return tensors.map(({ name, dtype, shape, ranges }) => {
    const begin = end;
    for (const range of ranges) end += range.end - range.begin;
    return { name, dtype, shape: [...shape], begin, end };
  });
}

async function* piecesOf(
  header: Uint8Array,
  ranges: readonly Range[],
  files: readonly OpenedFile[],
): AsyncGenerator<Uint8Array, void, undefined> {
  yield header;
  for (let i = 0; i < ranges.length; ) {
    const { file, begin, end } = ranges[i]!;
    let past = end;
    // Most tensors follow each other in their file.
    for (++i; ranges[i]?.file === file && ranges[i]!.begin === past; ++i) past = ranges[i]!.end;
    yield* files[file]!.range(begin, past);
  }
  for (const file of files) await file.drain();
}

/** A file that is read at the positions that are needed: at any, or in order. */
class OpenedFile {
  private position = 0;
  /** Of a file that is read in order: the bytes from `position` on that have arrived. */
  private rest: Uint8Array = new Uint8Array(0);

  private constructor(
    private readonly source: ByteSource,
    /** Whether the next part is fetched while the last one is used. */
    private readonly isRemote: boolean,
  ) {}

  static async open(file: OpenableFile, anyOrder: boolean, signal: AbortSignal | undefined): Promise<OpenedFile> {
    const source = await file.open(signal, fetchSeekable);
    if (source.readAt || !anyOrder) return new OpenedFile(source, file.isRemote);
    return new OpenedFile(await randomAccess(source, signal), false);
  }

  async frame(): Promise<Frame> {
    let at = 0;
    return readFrame(async (bytes) => {
      const { size = Infinity } = this.source;
      const taken = allocate(Uint8Array, Math.min(bytes, size - at));
      let length = 0;
      for await (const piece of this.range(at, at + taken.length)) {
        taken.set(piece, length);
        length += piece.length;
      }
      at += length;
      return taken.subarray(0, length);
    }, this.source.size);
  }

  /** The bytes from `begin` to `end`. */
  async *range(begin: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { source } = this;
    if (!source.readAt) {
      yield* this.next(begin, end);
      return;
    }
    const read = (at: number) => source.readAt!(at, Math.min(end - at, this.isRemote ? partBytes : chunkBytes));
    let coming: Promise<Uint8Array> | undefined;
    for (let at = begin; at < end; ) {
      const piece = await (coming ?? read(at));
      at += piece.length;
      coming = this.isRemote && at < end ? read(at) : undefined;
      // A failure is reported when it is the turn of the part.
      coming?.catch(() => {});
      yield piece;
    }
  }

  /** Reads what no tensor needs, so that a file that is to be kept is complete, and its digest is compared. */
  async drain(): Promise<void> {
    if (!this.source.readAt) while (await this.source.read());
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async *next(begin: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
    while (this.position < end) {
      if (this.rest.length === 0) {
        const chunk = await this.source.read();
        if (!chunk) throw broken('truncated', this.position, `the data should end at byte ${end}`);
        this.rest = chunk;
      }
      const until = this.position < begin ? begin : end;
      const piece = this.rest.subarray(0, until - this.position);
      this.rest = this.rest.subarray(piece.length);
      this.position += piece.length;
      if (until === end) yield piece;
    }
  }
}

/** A request of this size outweighs its round trip. */
const partBytes = 4 << 20;
