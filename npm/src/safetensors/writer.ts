// Writes tensors to safetensors files: as bytes, or as a stream.

import { type ErrorReason, inputError, ioError, messageOf, QuintetError, requireGlobals } from '../base/errors.js';
import { isA, typeName } from '../base/values.js';
import { type ByteSource, bytesSource } from '../sources/bytes/byte_source.js';
import { openSource } from '../sources/open_source.js';
import { layOut, writeContainer } from './container.js';
import { bitsOf, bytesOf, dtypeNames, metadataName } from './header.js';
import { isUnicode } from './json.js';
import { storedBytes } from './tensor.js';
import type { NamedTensors, StreamedTensor, WritableContent, WritableTensor } from './types.js';

type TextMap = Readonly<Record<string, string>>;

interface NamedTensor extends StreamedTensor {
  name: string;
}

/**
 * Writes a safetensors file and returns its bytes. Tensors are ordered by the size of their type, largest first, then
 * by name, so that the same content always gives the same bytes.
 * @throws QuintetError INPUT for a duplicate name, or for data that does not match its type and shape
 */
export async function writeSafetensors(
  tensors: WritableContent<WritableTensor>,
  metadata?: TextMap,
): Promise<Uint8Array> {
  requireGlobals();
  const content = contentOf(tensors, metadata);
  const contained = content.tensors.map(({ name, dtype, shape, data }) => {
    if (typeof data === 'function') throw wrong('wrong_type', name, notTensor);
    const bytes = storedBytes(dtype, data);
    if (bytes.length !== bytesOf(dtype, shape)) throw misfit({ name, dtype, shape }, bytes.length);
    return { name, dtype, shape: [...shape], data: bytes };
  });
  return writeContainer({ metadata: content.metadata, tensors: contained });
}

/**
 * Like `writeSafetensors`, as a stream that is produced while it is read. A tensor whose `data` is a function is only
 * in memory while it is written; if its data does not match its type and shape, the stream fails with INPUT.
 * @throws QuintetError INPUT
 */
export function safetensorsStream(
  tensors: WritableContent<StreamedTensor>,
  metadata?: TextMap,
): ReadableStream<Uint8Array> {
  requireGlobals('ReadableStream');
  const content = contentOf(tensors, metadata);
  const { header, ordered } = layOut(content.metadata, content.tensors);
  let current: ByteSource | undefined;

  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    yield header;
    for (const tensor of ordered) {
      current = await dataOf(tensor);
      try {
        yield* measured(current, tensor);
      } finally {
        await current.close();
      }
    }
  }

  const output = pieces();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await output.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        // Not awaited: it would wait forever for a source that hangs.
        void output.return().catch(() => {});
        await current?.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function dataOf({ name, dtype, data }: NamedTensor): Promise<ByteSource> {
  try {
    const given = typeof data === 'function' ? await data() : data;
    return ArrayBuffer.isView(given) ? bytesSource(storedBytes(dtype, given)) : await openSource(given);
  } catch (error) {
    if (error instanceof QuintetError) throw error;
    throw ioError('read_failed', `tensor ${JSON.stringify(name)}: ${messageOf(error)}`, error);
  }
}

/** Copies of the chunks. Throws unless the source has exactly the tensor's bytes. */
async function* measured(source: ByteSource, tensor: NamedTensor): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = bytesOf(tensor.dtype, tensor.shape)!;
  let given = 0;
  for (let chunk; (chunk = await source.read()); ) {
    given += chunk.length;
    if (given > bytes) throw misfit(tensor, given);
    yield chunk.slice();
  }
  if (given < bytes) throw misfit(tensor, given);
}

/** The caller's tensors and metadata in one form, checked except for the length of the data. */
function contentOf(
  given: WritableContent<StreamedTensor>,
  metadata: TextMap | undefined,
): { tensors: NamedTensor[]; metadata: TextMap } {
  if (isContent(given)) return contentOf(given.tensors, metadata ?? given.metadata);
  const texts = metadata ?? {};
  if (
    !isA(texts, 'Object') ||
    !Object.entries(texts)
      .flat()
      .every((text) => typeof text === 'string' && isUnicode(text))
  ) {
    throw inputError('wrong_type', 'the metadata must map strings to strings');
  }
  const names = new Set([metadataName]);
  const tensors = entriesOf(given).map(([name, tensor]) => {
    const named = checked(name, tensor);
    if (names.has(name)) throw wrong('duplicate', name, 'the name is reserved or occurs twice');
    names.add(name);
    return named;
  });
  return { tensors, metadata: texts };
}

type Content = Extract<WritableContent<StreamedTensor>, { tensors: NamedTensors<StreamedTensor> }>;

/** Distinguishes `{ tensors, metadata }` from an object with a tensor called 'tensors'. */
function isContent(given: WritableContent<StreamedTensor>): given is Content {
  const { tensors } = (given ?? {}) as { tensors?: { dtype?: unknown } };
  return isA(given, 'Object') && typeof tensors === 'object' && typeof tensors?.dtype !== 'string';
}

function entriesOf(given: NamedTensors<StreamedTensor>): (readonly [string, StreamedTensor])[] {
  if (typeof given === 'object' && given !== null) {
    if (Symbol.iterator in given) return [...(given as Iterable<readonly [string, StreamedTensor]>)];
    if (isA(given, 'Object')) return Object.entries(given);
  }
  throw inputError('wrong_type', `tensors must be an object or [name, tensor] pairs, not ${typeName(given)}`);
}

function checked(name: unknown, tensor: StreamedTensor): NamedTensor {
  if (typeof name !== 'string' || !isUnicode(name)) {
    throw inputError('wrong_type', `a tensor's name must be valid Unicode text, not ${typeName(name)}`);
  }
  const { dtype, shape, data } = tensor ?? {};
  if (!Array.isArray(shape) || !(ArrayBuffer.isView(data) || typeof data === 'function')) {
    throw wrong('wrong_type', name, notTensor);
  }
  if (bitsOf(dtype) === undefined)
    throw wrong('unknown_value', name, `its type ${String(dtype)} is not one of ${dtypeNames()}`);
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0) || bytesOf(dtype, shape) === undefined) {
    throw wrong('mismatch', name, `${dtype} cannot have the shape [${shape.join(', ')}]`);
  }
  return { name, dtype, shape: [...shape], data };
}

const notTensor = 'expected { dtype, shape, data }';

const misfit = ({ name, dtype, shape }: Omit<NamedTensor, 'data'>, bytes: number) =>
  wrong('mismatch', name, `${bytes} bytes do not match ${dtype} [${shape.join(', ')}]`);

function wrong(reason: ErrorReason, tensor: string, what: string): QuintetError {
  return new QuintetError('INPUT', `tensor ${JSON.stringify(tensor)}: ${what}`, { reason, tensor });
}
