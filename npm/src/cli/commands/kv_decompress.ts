import { DONE } from '../ending.js';
import { inputError } from '../../base/errors.js';
import { requiredOption } from '../options/arguments.js';
import { writeAtomically } from '../output/atomic_file.js';
import { defineCommand } from '../command.js';
import { KvCacheFile } from '../kv/kv_file.js';
import { readableBytes } from '../options/numbers.js';
import { onlyPositional } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet kv decompress IN --out FILE [--json]

The floats that a compressed KV cache stands for, in the type that they had before. What says that
they were compressed is taken out of the metadata; all else stays. FILE is there whole at the end,
or not at all.

  -o, --out FILE    the file to write; - for stdout
  --json            one JSON object: {"out", "dtype", "layers", "positions", "bytes"}; bytes are
                    those of keys and values

IN may be - for stdin. A file that is not compressed is refused.`,
  options: { out: { type: 'string', short: 'o' }, json: { type: 'boolean' } },

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
