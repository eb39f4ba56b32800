import { DONE } from '../ending.js';
import { idsIn, requiredOption } from '../options/arguments.js';
import { writeAtomically } from '../output/atomic_file.js';
import { defineCommand } from '../command.js';
import { GENERATOR_HELP, GENERATOR_OPTIONS, loadGenerator } from '../options/generator_options.js';
import { npyData, npyHeader } from '../output/npy.js';
import { float32Json } from '../options/numbers.js';
import { exactPositionals } from '../options/positionals.js';

export default defineCommand({
  help: `Usage: quintet logits --model FILE --ids 1,2,3 [options]

What the model expects after these tokens: a number for each token of its vocabulary, as JSON
{"shape", "logits"} or as a NumPy file.

  --ids IDS               token ids, as they are
  --all                   after each of them, row by row
  -o, --out X.npy         the file to write; - for stdout
${GENERATOR_HELP}
  --json                  the output is JSON with or without it; with --out: about the file`,
  options: {
    ids: { type: 'string' },
    all: { type: 'boolean' },
    out: { type: 'string', short: 'o' },
    ...GENERATOR_OPTIONS,
    json: { type: 'boolean' },
  },

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
