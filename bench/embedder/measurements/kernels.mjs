// The GEMMs alone, beside what the instruction set can do at best: bench/kernels, compiled to WebAssembly and run in
// Node 24.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { linearLayers, MINILM } from '../model/shape.mjs';
import { NODE_24, REPOSITORY } from '../paths.mjs';

const run = promisify(execFile);
const PRESET = 'wasm-relaxed';
const KERNELS = { fp32: 'gemm_f32', int8: 'gemm_i8' };

const LINE =
  /^(?<kernel>gemm_\w+)\s+(?<variant>\w+)\s+M=(?<m>\d+)\s+N=(?<n>\d+)\s+K=(?<k>\d+)\s+(?<rate>[\d.]+) (?<unit>\S+)\s+(?<percent>[\d.]+) %/;

/** What the program prints: its lines as { kernel, variant, m, n, k, rate, percent } and its own report of the peaks. */
export async function measureKernels() {
  await run('cmake', ['--build', '--preset', PRESET, '--target', 'kernel_bench'], {
    cwd: REPOSITORY,
  });
  const { stdout } = await run(NODE_24, [join(REPOSITORY, 'build', PRESET, 'kernel_bench.js')]);
  const lines = stdout.split('\n');
  return {
    peaks: lines.find((line) => line.startsWith('peaks:')),
    gemms: lines.map(parse).filter((gemm) => gemm !== undefined),
  };
}

function parse(line) {
  const groups = LINE.exec(line)?.groups;
  if (!groups) return undefined;
  const { kernel, variant, unit, ...numbers } = groups;
  return {
    kernel,
    variant,
    unit,
    ...Object.fromEntries(Object.entries(numbers).map(([key, text]) => [key, Number(text)])),
  };
}

/** Milliseconds that the linear layers of one forward pass take, and the share of the peak that they reach. */
export function linearLayerTime({ gemms }, precision, variant, tokens) {
  // GFLOP/s count a multiply-add twice, GMAC/s once.
  const operationsPerMultiplyAdd = precision === 'fp32' ? 2 : 1;
  let milliseconds = 0;
  let millisecondsAtPeak = 0;
  for (const [, inputs, outputs] of linearLayers(MINILM)) {
    const gemm = gemms.find(
      ({ kernel, variant: of, m, n, k }) =>
        kernel === KERNELS[precision] &&
        of === variant &&
        m === tokens &&
        n === outputs &&
        k === inputs,
    );
    const operations = MINILM.layers * tokens * inputs * outputs * operationsPerMultiplyAdd;
    const time = operations / (gemm.rate * 1e6);
    milliseconds += time;
    millisecondsAtPeak += (time * gemm.percent) / 100;
  }
  return { milliseconds, shareOfPeak: millisecondsAtPeak / milliseconds };
}
