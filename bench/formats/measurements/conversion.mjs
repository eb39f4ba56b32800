// Conversions by the command line, each in a process of its own, and what `validate` says of the results.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { NODE_24 } from '../../shared/paths.mjs';
import { summary } from '../../shared/statistics.mjs';
import { elementsOf, llamaTensors } from '../model/llama.mjs';
import { CLI, CONVERTED, FOLDERS, HOSTS } from '../paths.mjs';

const run = promisify(execFile);

const CONVERSIONS = [
  { from: 'f32', quantize: 'int8', elementBytes: 4 },
  { from: 'f16', quantize: 'int4block', elementBytes: 2 },
];

/** { what, sourceBytes, largestTensorBytes, seconds: { best, median }, peakBytes }[] */
export async function measureConversions(repetitions) {
  const results = [];
  for (const { from, quantize, elementBytes } of CONVERSIONS) {
    const samples = [];
    for (let i = 0; i < repetitions; i++) samples.push(await convert(FOLDERS[from], quantize));
    results.push({
      what: `safetensors ${from} to AMB ${quantize}`,
      sourceBytes: await folderBytes(FOLDERS[from]),
      largestTensorBytes: largestTensor() * elementBytes,
      seconds: summary(samples.map(({ seconds }) => seconds)),
      peakBytes: Math.max(...samples.map(({ peakBytes }) => peakBytes)),
    });
  }
  return results;
}

async function convert(folder, quantize) {
  const settings = ['--to', 'amb', '--quantize', quantize, '--out', CONVERTED];
  const begin = performance.now();
  const child = spawn(
    NODE_24,
    ['--import', join(HOSTS, 'report_peak.mjs'), CLI, 'convert', folder, ...settings],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [errors, peak, [status]] = await Promise.all([
    text(child.stderr),
    text(child.stdio[3]),
    once(child, 'exit'),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(`the conversion of ${folder} failed: ${errors}`);
  await run(NODE_24, [CLI, 'validate', CONVERTED]);
  await rm(CONVERTED);
  return { seconds, peakBytes: Number(peak) };
}

async function folderBytes(folder) {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function largestTensor() {
  return Math.max(...llamaTensors(1).map(([, shape]) => elementsOf(shape)));
}
