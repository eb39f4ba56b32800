// A linear layer that PyTorch saved (`torch.save(layer.state_dict(), path)`): a zip archive with a pickle, which
// describes two tensors, and the values of each.

import { QuintetError } from '../../base/errors.js';
import { isPickledTensor, type PickledTensor, pickledTensors } from './pickle.js';
import { storedFiles } from './zip.js';

/** Row by row. */
export interface LayerTensor {
  dtype: PickledTensor['dtype'];
  shape: number[];
  bytes: Uint8Array;
}

/** y = W x + b */
export interface LinearLayer {
  /** [outputs, inputs] */
  weight: LayerTensor;
  /** [outputs] */
  bias: LayerTensor;
}

/** `name`: of the file, for messages. */
export function linearLayer(archive: Uint8Array, name: string): LinearLayer {
  const files = storedFiles(archive, name);
  const fileAt = (path: string): Uint8Array => {
    const [, bytes] = [...files].find(([each]) => each.slice(each.indexOf('/') + 1) === path) ?? [];
    if (bytes) return bytes;
    throw new QuintetError('FORMAT', `${name}: there is no ${path} in it`, { reason: 'missing' });
  };
  const tensors = pickledTensors(fileAt('data.pkl'), name);
  const tensorNamed = (tensor: string, rank: number): LayerTensor => {
    const found = tensors.get(tensor);
    if (!isPickledTensor(found) || found.shape.length !== rank || found.shape.some((size) => size <= 0))
      throw new QuintetError('FORMAT', `${name}: there is no ${tensor} of rank ${rank} in it`, { reason: 'missing' });
    const { key, dtype, offset, shape } = found;
    const stored = fileAt(`data/${key}`);
    const width = dtype === 'F16' ? 2 : 4;
    const end = width * (offset + shape.reduce((a, b) => a * b, 1));
    if (offset < 0 || end > stored.length)
      throw new QuintetError('FORMAT', `${name}: ${tensor} is cut off`, { reason: 'truncated' });
    return { dtype, shape, bytes: stored.subarray(width * offset, end) };
  };
  const weight = tensorNamed('weight', 2);
  const bias = tensorNamed('bias', 1);
  if (bias.shape[0] === weight.shape[0]) return { weight, bias };
  throw new QuintetError('FORMAT', `${name}: ${weight.shape[0]} outputs, but ${bias.shape[0]} biases`, {
    reason: 'mismatch',
  });
}
