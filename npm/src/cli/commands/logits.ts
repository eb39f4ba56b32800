import { defineCommand } from '../command.js';
import { DONE } from '../ending.js';
import { idsIn, requiredOption } from '../options/arguments.js';
import { GENERATOR_OPTIONS, loadGenerator } from '../options/generator_options.js';
import { float32Json } from '../options/numbers.js';
import { exactPositionals } from '../options/positionals.js';
import { writeAtomically } from '../output/atomic_file.js';
import { npyData, npyHeader } from '../output/npy.js';

export default defineCommand({
  usage: ['logits --model FILE --ids 1,2,3 [options]'],
  description: `Shows the logits after a sequence of tokens: one number per token of the vocabulary, as JSON
{"shape", "logits"} or as a NumPy file.`,
  options: {
    ids: { type: 'string', value: 'IDS', help: 'token ids, used as they are' },
    all: { type: 'boolean', help: 'after each of the tokens, row by row' },
    out: { type: 'string', short: 'o', value: 'X.npy', help: 'file to write; - for stdout' },
    json: { type: 'boolean', help: 'the output is always JSON; with --out: one JSON object about the file' },
    ...GENERATOR_OPTIONS,
  },
  examples: ['quintet logits --model model.amb --ids 1,15043 --out logits.npy'],

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    requiredOption('model', options.model);
    const ids = idsIn('--ids', requiredOption('ids', options.ids));
    const generator = await loadGenerator(options, stderr);
    const logits = await generator.logits(ids, { all: options.all === true });
    generator.close();
    const shape = options.all ? [ids.length, logits.length / ids.length] : [logits.length];
    if (options.out === undefined) {
      await stdout.line(`{"shape":${JSON.stringify(shape)},"logits":${float32Json(logits)}}`);
      return DONE;
    }
    const pieces = [npyHeader(shape), npyData(logits)];
    if (options.out === '-') {
      for (const piece of pieces) await stdout.write(piece);
      return DONE;
    }
    await writeAtomically(options.out, pieces);
    if (options.json) await stdout.json({ shape, out: options.out });
    else await stdout.line(`logits [${shape.join(', ')}] -> ${options.out}`);
    return DONE;
  },
});
