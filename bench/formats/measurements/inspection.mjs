// What a file holds: the first time in a fresh process, and again and again.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { NODE_24 } from '../../shared/paths.mjs';
import { summary } from '../../shared/statistics.mjs';
import { elementsOf, llamaTensors } from '../model/llama.mjs';
import { FOLDERS, HOSTS, INSPECTED } from '../paths.mjs';

const run = promisify(execFile);

const CONTESTANTS = [
  ['safetensors', 'quintet'],
  ['safetensors', 'JSON.parse'],
  ['amb', 'quintet'],
  ['gguf', 'quintet'],
  ['gguf', '@huggingface/gguf'],
];

/** { file, reader, fileBytes, tensors, cold, coldSinceProcessStart, warm, bytes }[], times as { best, median } in ms. */
export async function measureInspection({ processes, repetitions }) {
  const expected = await expectedTensors();
  const samples = CONTESTANTS.map(() => []);
  for (let round = 0; round < processes; round++) {
    for (const [i, [file, reader]] of CONTESTANTS.entries()) {
      samples[i].push(await inspectInFreshProcess(file, reader, repetitions, expected));
    }
  }
  return Promise.all(
    CONTESTANTS.map(async ([file, reader], i) => ({
      file,
      reader,
      fileBytes: (await stat(INSPECTED[file])).size,
      tensors: expected.tensors,
      cold: summary(samples[i].map(({ cold }) => cold)),
      coldSinceProcessStart: summary(samples[i].map((sample) => sample.coldSinceProcessStart)),
      warm: summary(samples[i].flatMap(({ warm }) => warm)),
      bytes: samples[i][0].bytes,
    })),
  );
}

async function inspectInFreshProcess(file, reader, repetitions, expected) {
  const script = join(HOSTS, 'inspect_child.mjs');
  const { stdout } = await run(NODE_24, [script, reader, INSPECTED[file], String(repetitions)]);
  const sample = JSON.parse(stdout);
  if (sample.tensors !== expected.tensors || sample.elements !== expected.elements) {
    throw new Error(`${reader} finds ${sample.tensors} tensors of ${sample.elements} values in ${file}`);
  }
  return sample;
}

async function expectedTensors() {
  const config = JSON.parse(await readFile(join(FOLDERS.f16, 'config.json'), 'utf8'));
  const tensors = llamaTensors(config.num_hidden_layers);
  return {
    tensors: tensors.length,
    elements: tensors.reduce((sum, [, shape]) => sum + elementsOf(shape), 0),
  };
}
