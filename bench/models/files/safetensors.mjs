import { Buffer } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Writes Map of name -> { shape, data: Float32Array } as a safetensors file. */
export async function writeSafetensors(path, tensors) {
  const header = { __metadata__: { format: 'pt' } };
  let offset = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + data.byteLength] };
    offset += data.byteLength;
  }
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));

  const file = createWriteStream(path);
  file.write(length);
  file.write(padded);
  for (const { data } of tensors.values()) file.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  file.end();
  await finished(file);
}
