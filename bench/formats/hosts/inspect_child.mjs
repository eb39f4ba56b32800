// A fresh Node process that asks a reader for a file's tensors again and again. Prints one line of JSON.
import { readFileSync } from 'node:fs';

import { READERS } from './readers.mjs';

const [reader, path, count] = process.argv.slice(2);
const begin = performance.now();
const read = await READERS[reader]();
const tensors = await read(path);
const cold = performance.now() - begin;
const coldSinceProcessStart = performance.now();

const before = bytesRead();
await read(path);
const bytes = bytesRead() - before;

const warm = [];
for (let i = 0; i < Number(count); i++) {
  const start = performance.now();
  await read(path);
  warm.push(performance.now() - start);
}
const elements = tensors.reduce(
  (sum, [, shape]) => sum + shape.reduce((product, dimension) => product * dimension, 1),
  0,
);
console.log(JSON.stringify({ cold, coldSinceProcessStart, warm, bytes, tensors: tensors.length, elements }));

// As the system counts what this process read from files; asking is not free, and its cost is taken off.
function bytesRead() {
  const text = readFileSync('/proc/self/io', 'utf8');
  return Number(/^rchar: (\d+)$/m.exec(text)[1]) - text.length;
}
