// Files of safetensors. All tensors of one have the same type.
import { Buffer } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/**
 * The bytes before the data. `tensors`: { name, shape, bytes } of each, in the order of the file. `metadata`: texts by
 * name.
 */
export function safetensorsHead(dtype, tensors, metadata = {}) {
  const header = { __metadata__: { format: 'pt', ...metadata } };
  let end = 0;
  for (const { name, shape, bytes } of tensors) {
    const begin = end;
    end += bytes;
    header[name] = { dtype, shape, data_offsets: [begin, end] };
  }
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded]);
}

/** Writes Map of name -> { shape, data: Float32Array } as a safetensors file. */
export async function writeSafetensors(path, tensors, metadata) {
  const described = Array.from(tensors, ([name, { shape, data }]) => ({ name, shape, bytes: data.byteLength }));
  const file = createWriteStream(path);
  file.write(safetensorsHead('F32', described, metadata));
  for (const { data } of tensors.values()) file.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  file.end();
  await finished(file);
}
