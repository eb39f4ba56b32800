// Runs bench/native/kernels, compiled to WebAssembly, in Node 24: the speed of single kernels, and the peak rates of
// the instruction set and the memory.
import { outputOfProgram } from '../harness/environments.mjs';

const LINE =
  /^(?<kernel>gemm_\w+)\s+(?<variant>\w+)\s+M=(?<m>\d+)\s+N=(?<n>\d+)\s+K=(?<k>\d+)\s+(?<rate>[\d.]+) (?<unit>\S+)\s+(?<percent>[\d.]+) %/;

/** { peaks, gemms }: the program's own report of the peaks, and { kernel, variant, m, n, k, rate, unit, percent }[]. */
export async function measureGemms() {
  const lines = (await outputOfProgram('kernel_bench')).split('\n');
  return {
    peaks: lines.find((line) => line.startsWith('peaks:')),
    gemms: lines.map(parse).filter((gemm) => gemm !== undefined),
  };
}

function parse(line) {
  const groups = LINE.exec(line)?.groups;
  if (!groups) return undefined;
  const { kernel, variant, unit, ...numbers } = groups;
  const entries = Object.entries(numbers).map(([key, text]) => [key, Number(text)]);
  return { kernel, variant, unit, ...Object.fromEntries(entries) };
}

const KERNELS = { fp32: 'gemm_f32', int8: 'gemm_i8' };

/**
 * Milliseconds that the linear layers of one pass take, and the share of the peak that they reach. `layers`: lists of
 * [name, inputs, outputs], of one layer of the model.
 */
export function linearLayerTime({ gemms }, { precision, variant, tokens, layers, count }) {
  // GFLOP/s count a multiply-add twice, GMAC/s once.
  const operationsPerMultiplyAdd = precision === 'fp32' ? 2 : 1;
  let milliseconds = 0;
  let millisecondsAtPeak = 0;
  for (const [, inputs, outputs] of layers) {
    const isMeant = ({ kernel, variant: of, m, n, k }) =>
      kernel === KERNELS[precision] && of === variant && m === tokens && n === outputs && k === inputs;
    const gemm = gemms.find(isMeant);
    const time = (count * tokens * inputs * outputs * operationsPerMultiplyAdd) / (gemm.rate * 1e6);
    milliseconds += time;
    millisecondsAtPeak += (time * gemm.percent) / 100;
  }
  return { milliseconds, shareOfPeak: millisecondsAtPeak / milliseconds };
}

/** The speed at which this machine reads memory, in GB/s. */
export async function measureBandwidth() {
  const output = await outputOfProgram('kernel_bench', 'memory');
  return Number(/^memory: read ([\d.]+) GB\/s$/m.exec(output)[1]);
}
