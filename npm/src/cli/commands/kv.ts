import type { CommandGroup } from '../command.js';
import compare from './kv/compare.js';
import compress from './kv/compress.js';
import decompress from './kv/decompress.js';

const group: CommandGroup = {
  usage: ['kv compress IN --out FILE [options]', 'kv decompress IN --out FILE [options]', 'kv compare A B [options]'],
  description: `Works on KV caches saved as safetensors files, by this package or another: tensors layer_0_key,
layer_0_value, ... of shape [1, heads, positions, head size] in F32, F16 or BF16.`,
  commands: {
    compress: { summary: 'round to INT4, and report the loss', command: compress },
    decompress: { summary: 'turn INT4 back into floats', command: decompress },
    compare: { summary: 'measure how far one cache is from another', command: compare },
  },
};

export default group;
