import { DONE } from '../ending.js';
import { readTensor } from '../../index.js';
import { requiredOption } from '../options/arguments.js';
import { writeAtomically } from '../output/atomic_file.js';
import { defineCommand } from '../command.js';
import { npyData, npyHeader } from '../output/npy.js';
import { exactPositionals } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet tensor FILE NAME --out X.npy [--json]

Writes one tensor, dequantized to float32, as a NumPy file.

  -o, --out X.npy    the file to write; - for stdout
  --json             one JSON object about the tensor, on stdout

FILE may be - for stdin. 'quintet inspect FILE' lists the names.`,
  options: { out: { type: 'string', short: 'o' }, json: { type: 'boolean' } },

  async run({ options, positionals, stdout }) {
    const [file, name] = exactPositionals(positionals, 'FILE', 'NAME');
    const out = requiredOption('out', options.out);
    const { dtype, shape, data } = await readTensor(modelSource(file), name);
    const pieces = [npyHeader(shape), npyData(data)];
    if (out === '-') {
      for (const piece of pieces) await stdout.write(piece);
      return DONE;
    }
    await writeAtomically(out, pieces);
    if (options.json) await stdout.json({ name, dtype, shape, out });
    else await stdout.line(`${name}: ${dtype} [${shape.join(', ')}] -> ${out}`);
    return DONE;
  },
});
