// Checks whether a converted model is close enough to its source, by the values of every tensor.
import { convertedFrom, type TensorComparison } from '../../convert/verify_conversion.js';
import type { ConvertOptions, ModelInput, ModelSource, Quantization } from '../../index.js';
import { alignColumns } from '../output/columns.js';

/** The lowest cosine of a tensor that passes. Blocks of 32 or 64 ordinary weights are well above. */
const LEAST_COSINE: Record<Quantization | 'left out', number> = {
  'left out': 0.99,
  none: 0.999999,
  f16: 0.9999,
  bf16: 0.9999,
  int8: 0.99,
  'int8-row': 0.99,
  'int8-group': 0.99,
  dq8: 0.99,
  'dq8-symmetric': 0.99,
  sq8: 0.99,
  int5: 0.98,
  int5block: 0.98,
  int4: 0.95,
  int4block: 0.95,
  adaptive: 0.95,
};

export const leastCosine = (quantize: Quantization | undefined): number => LEAST_COSINE[quantize ?? 'left out'];

export interface Verification {
  tensors: TensorComparison[];
  /** The largest error and the lowest cosine, with their tensors. */
  worst: { maxError: number; maxErrorTensor: string; cosine: number; cosineTensor: string };
}

export async function verify(source: ModelInput, options: ConvertOptions, output: ModelSource): Promise<Verification> {
  const tensors: TensorComparison[] = [];
  for await (const row of convertedFrom(source, options, output)) tensors.push(row);
  const worst: Verification['worst'] = { maxError: 0, maxErrorTensor: '', cosine: 1, cosineTensor: '' };
  for (const { tensor, maxError, cosine } of tensors) {
    // NaN is worse than any number.
    if (!(maxError <= worst.maxError)) Object.assign(worst, { maxError, maxErrorTensor: tensor });
    if (!(cosine >= worst.cosine)) Object.assign(worst, { cosine, cosineTensor: tensor });
  }
  return { tensors, worst };
}

export function describeVerification({ tensors, worst }: Verification): string {
  const row = ({ tensor, maxError, cosine }: TensorComparison) => [tensor, maxError.toPrecision(3), cosine.toFixed(6)];
  const lines = alignColumns([['tensor', 'largest error', 'cosine'], ...tensors.map(row)]);
  const error = `largest error ${worst.maxError.toPrecision(3)}${within(worst.maxErrorTensor)}`;
  const cosine = `cosine ${worst.cosine.toFixed(6)}${within(worst.cosineTensor)}`;
  return [...lines, `worst: ${error}, ${cosine}`].join('\n');
}

const within = (tensor: string) => (tensor === '' ? '' : ` in ${alignColumns([[tensor]])[0]}`);
