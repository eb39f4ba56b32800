import { inputError } from '../../../base/errors.js';
import { defineCommand } from '../../command.js';
import { DONE } from '../../ending.js';
import { KvCacheFile } from '../../kv/kv_file.js';
import { requiredOption } from '../../options/arguments.js';
import { readableBytes } from '../../options/numbers.js';
import { onlyPositional } from '../../options/positionals.js';
import { writeAtomically } from '../../output/atomic_file.js';
import { modelSource } from '../../output/sources.js';

export default defineCommand({
  usage: ['kv decompress IN --out FILE [options]'],
  description: `Writes a compressed KV cache as floats, in the type it had before. The metadata about the
compression is removed, everything else is kept. FILE is written completely or not at all. IN may
be - for stdin. A file that is not compressed is an error.`,
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', help: 'file to write; - for stdout' },
    json: {
      type: 'boolean',
      help: 'print one JSON object: {"out", "dtype", "layers", "positions", "bytes"}; bytes counts keys and values',
    },
  },
  examples: ['quintet kv decompress small.safetensors --out cache.safetensors'],

  async run({ options, positionals, stdout }) {
    const input = onlyPositional(positionals, 'IN');
    const out = requiredOption('out', options.out);
    const file = await KvCacheFile.read(modelSource(input));
    const { dtype, layout, layers, kvHeads, positions, headDim } = file.facts;
    if (layout === 'plain') throw inputError('mismatch', 'the cache is not compressed');

    const pieces = file.pieces({ dtype, compression: 'none' });
    if (out === '-') {
      for (const piece of pieces) await stdout.write(piece);
      return DONE;
    }
    await writeAtomically(out, pieces);
    const bytes = 2 * layers * kvHeads * positions * headDim * (dtype === 'F32' ? 4 : 2);
    if (options.json) await stdout.json({ out, dtype, layers, positions, bytes });
    else await stdout.line(`${out}: ${positions} positions of ${layers} layers, ${dtype}, ${readableBytes(bytes)}`);
    return DONE;
  },
});
