// A Hugging Face folder of a decoder: config.json and model.safetensors, written piece by piece.
import { Buffer } from 'node:buffer';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { elementsOf, llamaConfig, llamaTensors } from './llama.mjs';

const BYTES = { F16: 2, F32: 4 };

/** @param pool bytes of values of the type `dtype` */
export async function writeFolder(folder, { layers, dtype, pool }) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(llamaConfig(layers), null, 1));
  const tensors = llamaTensors(layers);
  const file = await open(join(folder, 'model.safetensors'), 'w');
  await file.write(header(tensors, dtype));
  for (const [, shape] of tensors) await writeBytes(file, elementsOf(shape) * BYTES[dtype], pool);
  await file.close();
}

function header(tensors, dtype) {
  const entries = { __metadata__: { format: 'pt' } };
  let end = 0;
  for (const [name, shape] of tensors) {
    const begin = end;
    end += elementsOf(shape) * BYTES[dtype];
    entries[name] = { dtype, shape, data_offsets: [begin, end] };
  }
  const text = JSON.stringify(entries);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded]);
}

async function writeBytes(file, bytes, pool) {
  for (let left = bytes; left > 0; left -= pool.length) {
    await file.write(pool, 0, Math.min(left, pool.length));
  }
}
