import { readTensor } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE } from '../ending.js';
import { requiredOption } from '../options/arguments.js';
import { exactPositionals } from '../options/positionals.js';
import { writeAtomically } from '../output/atomic_file.js';
import { npyData, npyHeader } from '../output/npy.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  usage: ['tensor FILE NAME --out X.npy [options]'],
  description: `Writes one tensor of a model file, dequantized to float32, as a NumPy file. 'quintet inspect FILE'
lists the names. FILE may be - for stdin.`,
  options: {
    out: { type: 'string', short: 'o', value: 'X.npy', help: 'file to write; - for stdout' },
    json: { type: 'boolean', help: 'print one JSON object about the tensor' },
  },
  examples: ['quintet tensor model.amb token_embd.weight --out embeddings.npy'],

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
