import type { CommandGroup } from '../command.js';
import compare from './kv_compare.js';
import compress from './kv_compress.js';
import decompress from './kv_decompress.js';

const group: CommandGroup = {
  help: `Usage: quintet kv compress IN --out FILE [options]
       quintet kv decompress IN --out FILE [options]
       quintet kv compare A B [options]

KV caches as safetensors files, saved by this package or by others: tensors layer_0_key,
layer_0_value, ... of [1, heads, positions, values of a head] in F32, F16 or BF16.

  compress      to INT4 in groups that share a scale, with a report of what was lost
  decompress    back to floats
  compare       what is lost in B of A; exit status 1 where that is too much

  quintet kv <command> --help    the options of a command`,
  commands: { compress, decompress, compare },
};

export default group;
