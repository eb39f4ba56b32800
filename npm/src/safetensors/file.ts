// Opens safetensors files: reads only the header at first, and then the requested tensors.

import { allocate } from '../base/allocation.js';
import { CallQueue } from '../base/call_queue.js';
import { Disposable } from '../base/disposable.js';
import { closedError, inputError } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, safeInteger, signal } from '../base/values.js';
import type { ByteSource, RandomAccessSource } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import { randomAccess } from '../sources/bytes/random_access.js';
import { openSource } from '../sources/open_source.js';
import { type Frame, readFrame } from './container.js';
import { bitsOf, type TensorEntry } from './header.js';
import { floatsRule, tensorOf } from './tensor.js';
import type {
  OpenSafetensorsOptions,
  ReadTensorOptions,
  SafetensorsDtype,
  SafetensorsFile,
  SafetensorsFloats,
  SafetensorsTensor,
  StoredTensor,
} from './types.js';

/**
 * Opens a safetensors file to read single tensors. If the source is a path in Node, a Blob, or a URL whose server
 * supports range requests, only the header and the requested tensors are read; other sources are read as a whole and
 * kept in memory. The header and the size of the file are checked as in `readSafetensors`.
 * @throws QuintetError FORMAT, IO, INPUT, MEMORY, ABORTED
 */
export async function openSafetensors(
  source: ModelSource,
  options: OpenSafetensorsOptions = {},
): Promise<SafetensorsFile> {
  checkOptions(options, { signal }, 'openSafetensors');
  const watch = { signal: options.signal };
  return openSafetensorsIn(await openSource(source, { ...watch, download: fetchSeekable }), watch.signal);
}

/** For a source that is open already. Closes it with the file, or if the file is invalid. */
export async function openSafetensorsIn(source: ByteSource, signal?: AbortSignal): Promise<SafetensorsFile> {
  const file = await randomAccess(source, signal);
  const reader = new RangeReader(file, signal);
  try {
    let at = 0;
    const frame = await readFrame((bytes) => {
      const part = reader.read(at, Math.min(bytes, file.size - at));
      at += bytes;
      return part;
    }, file.size);
    return new OpenedFile(reader, frame);
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Runs reads one at a time, since the bytes of a source are only valid until its next read. */
class RangeReader {
  private readonly queue = new CallQueue();
  private closed = false;

  constructor(
    private readonly source: RandomAccessSource,
    private readonly signal: AbortSignal | undefined,
  ) {}

  read(position: number, bytes: number): Promise<Uint8Array> {
    return this.queue.run(
      async () => {
        const range = allocate(Uint8Array, bytes);
        for (let at = 0; at < bytes; ) {
          const part = await this.source.readAt(position + at, bytes - at);
          if (this.closed || this.signal?.aborted) throw closedError();
          range.set(part, at);
          at += part.length;
        }
        return range;
      },
      { signal: this.signal },
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    this.queue.close();
    await this.source.close();
  }
}

class OpenedFile extends Disposable implements SafetensorsFile {
  readonly metadata: Record<string, string>;
  readonly tensors: Map<string, StoredTensor>;

  constructor(
    private readonly reader: RangeReader,
    { metadata, entries, dataStart }: Frame,
  ) {
    super();
    this.metadata = metadata;
    this.tensors = new Map(entries.map((entry) => [entry.name, storedTensor(reader, dataStart, entry)]));
  }

  close(): Promise<void> {
    return this.reader.close();
  }
}

function storedTensor(reader: RangeReader, dataStart: number, entry: TensorEntry): StoredTensor {
  const { shape, begin, end } = entry;
  const dtype = entry.dtype as SafetensorsDtype;
  const bytesPerValue = bitsOf(dtype)! / 8;
  const length = (end - begin) / bytesPerValue;
  return {
    dtype,
    shape,
    bytes: end - begin,
    async read<F extends SafetensorsFloats>(options: ReadTensorOptions<F> = {}): Promise<SafetensorsTensor<F>> {
      checkOptions(options, { floats: floatsRule, from: safeInteger, to: safeInteger }, 'read');
      const { from = 0, to = length, floats = 'bits' as F } = options;
      const [first, past] = [from * bytesPerValue, to * bytesPerValue];
      if (!(0 <= from && from <= to && to <= length && Number.isInteger(first) && Number.isInteger(past))) {
        throw inputError('out_of_range', `read: from ${from} to ${to} is not a range of the tensor's ${length} values`);
      }
      const data = await reader.read(dataStart + begin + first, past - first);
      return tensorOf(dtype, (options.from ?? options.to) === undefined ? [...shape] : [to - from], data, floats);
    },
  };
}
