import { DONE } from '../ending.js';
import { inspect } from '../../index.js';
import { defineCommand } from '../command.js';
import { describeModel } from '../models/describe_model.js';
import { onlyPositional } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet inspect FILE [--json]

Tells what a model file holds: format, sizes, metadata, tokenizer, tensors. Reads no more of the
weights than it must; 'quintet validate' reads all of the file.

  --json    one JSON object

FILE may be - for stdin.`,
  options: { json: { type: 'boolean' } },

  async run({ options, positionals, stdout }) {
    const info = await inspect(modelSource(onlyPositional(positionals, 'FILE')));
    if (options.json) await stdout.json(info);
    else await stdout.line(describeModel(info));
    return DONE;
  },
});
