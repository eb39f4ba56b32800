// One safetensors file with tensors of others, of which only the needed bytes are read: those of a split model, or a part of
// them. A server without range requests sends its file as a whole; then the rest is dropped as it arrives.

import { allocate } from '../base/allocation.js';
import { inFile } from '../engine/load/file_errors.js';
import { type ByteSource, chunkBytes } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import { describesModel } from '../sources/folder.js';
import type { OpenableFile } from '../sources/types.js';
import { type Frame, readFrame } from './container.js';
import { bitsOf, formatHeader, type TensorEntry } from './header.js';
import { broken } from './json.js';

/** A tensor of the new file. `begin` and `end` are positions in the file that has its data. */
export interface PlacedTensor extends TensorEntry {
  file: number;
  /** Whether its rows are the columns that are stored. */
  isTransposed?: boolean;
}

/** Chooses the tensors of the new file among those of all files. */
export type Arrange = (tensors: readonly PlacedTensor[]) => readonly PlacedTensor[];

/**
 * The files of a model with one in place of those with tensors: several are the shards that an index lists. Without an
 * index they stay as they are, and the loader rejects them.
 */
export function withOneFile(
  files: readonly OpenableFile[],
  arrange: Arrange = (tensors) => tensors,
): readonly OpenableFile[] {
  const weights = files.filter(({ name }) => !describesModel(name));
  const isSplit = files.some(({ name }) => name.endsWith('.index.json'));
  if (weights.length === 0 || (weights.length > 1 && !isSplit)) return files;
  return [...files.filter(({ name }) => describesModel(name)), assembledFile(weights, arrange)];
}

/** Its name is that of the first file. */
function assembledFile(files: readonly OpenableFile[], arrange: Arrange): OpenableFile {
  return {
    name: files[0]!.name,
    isRemote: files.some(({ isRemote }) => isRemote),
    open: (signal) => openAssembled(files, arrange, signal),
  };
}

async function openAssembled(
  files: readonly OpenableFile[],
  arrange: Arrange,
  signal: AbortSignal | undefined,
): Promise<ByteSource> {
  const opened: OpenedFile[] = [];
  const close = async () => void (await Promise.all(opened.map((file) => file.close())));
  try {
    const metadata: Record<string, string> = {};
    const there: PlacedTensor[] = [];
    for (const [number, file] of files.entries()) {
      try {
        opened.push(new OpenedFile(await file.open(signal, fetchSeekable), file.isRemote));
        const frame = await opened[number]!.frame();
        Object.assign(metadata, frame.metadata);
        for (const tensor of placedIn(number, frame)) there.push(tensor);
      } catch (error) {
        throw inFile(error, file.name, number, files.length);
      }
    }
    const tensors = [...arrange(there)].sort((a, b) => a.file - b.file || a.begin - b.begin || a.end - b.end);
    const entries = entriesOf(tensors);
    const header = formatHeader({ metadata, entries });
    const pieces = piecesOf(header, tensors, opened);
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
  entries.map((entry) => ({ ...entry, file, begin: dataStart + entry.begin, end: dataStart + entry.end }));

function entriesOf(tensors: readonly PlacedTensor[]): TensorEntry[] {
  let at = 0;
  return tensors.map(({ name, dtype, shape, begin, end }) => {
    const from = at;
    at += end - begin;
    return { name, dtype, shape, begin: from, end: at };
  });
}

async function* piecesOf(
  header: Uint8Array,
  tensors: readonly PlacedTensor[],
  files: readonly OpenedFile[],
): AsyncGenerator<Uint8Array, void, undefined> {
  yield header;
  for (let i = 0; i < tensors.length; ) {
    const first = tensors[i++]!;
    const file = files[first.file]!;
    if (first.isTransposed) {
      yield transposed(await file.bytes(first.begin, first.end), first);
      continue;
    }
    let { end } = first;
    // Most tensors follow each other in their file.
    for (let next: PlacedTensor | undefined; (next = tensors[i]); ++i) {
      if (next.file !== first.file || next.begin !== end || next.isTransposed) break;
      end = next.end;
    }
    yield* file.range(first.begin, end);
  }
  for (const file of files) await file.drain();
}

/** `data`: the values column by column. */
function transposed(data: Uint8Array, { shape: [rows = 0, columns = 0], dtype }: PlacedTensor): Uint8Array {
  const width = bitsOf(dtype)! / 8;
  const result = allocate(Uint8Array, data.length);
  for (let row = 0, at = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column, at += width) {
      const from = (column * rows + row) * width;
      for (let i = 0; i < width; ++i) result[at + i] = data[from + i]!;
    }
  }
  return result;
}

/** A file that is read at the positions that are needed: at any, or in order. */
class OpenedFile {
  private position = 0;
  /** The bytes from `position` on that have arrived, if the file is read in order. */
  private rest: Uint8Array = new Uint8Array(0);

  constructor(
    private readonly source: ByteSource,
    /** Whether the next part is fetched while the last one is used. */
    private readonly isRemote: boolean,
  ) {}

  frame(): Promise<Frame> {
    const { size } = this.source;
    let at = 0;
    return readFrame((bytes) => {
      const from = at;
      at = Math.min(from + bytes, size ?? Infinity);
      return this.bytes(from, at);
    }, size);
  }

  async bytes(begin: number, end: number): Promise<Uint8Array> {
    const all = allocate(Uint8Array, end - begin);
    let length = 0;
    for await (const piece of this.range(begin, end)) {
      all.set(piece, length);
      length += piece.length;
    }
    return all;
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
