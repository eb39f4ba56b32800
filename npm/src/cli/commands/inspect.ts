import { inspect } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE } from '../ending.js';
import { describeModel } from '../models/describe_model.js';
import { onlyPositional } from '../options/positionals.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  usage: ['inspect FILE [options]'],
  description: `Shows what a model file contains: format, size, metadata, configuration, tokenizer and tensors. It
reads as little of the weights as possible; 'quintet validate' reads the whole file. FILE may be -
for stdin.`,
  options: { json: { type: 'boolean', help: 'print one JSON object' } },
  examples: ['quintet inspect model.gguf', 'quintet inspect model.weights --json'],

  async run({ options, positionals, stdout }) {
    const info = await inspect(modelSource(onlyPositional(positionals, 'FILE')));
    if (options.json) await stdout.json(info);
    else await stdout.line(describeModel(info));
    return DONE;
  },
});
