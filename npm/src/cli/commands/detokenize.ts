import { Tokenizer } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { defaultModel } from '../models/default_models.js';
import { idsIn } from '../options/arguments.js';
import { exactPositionals } from '../options/positionals.js';
import { textsOf } from '../options/text_arguments.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet detokenize IDS [options]

Shows the text of token ids like 1,2,3 or 1 2 3, without special tokens. The model is an embedder, a
text generator, or a file or folder that has a tokenizer and nothing else.

  -m, --model FILE    the model; default: the embedder of the package quintet-models
  --special           with special tokens
  --json              one JSON line per list of ids: {"text": "..."}

IDS may be - for one list per line of stdin.`,
  options: { model: { type: 'string', short: 'm' }, special: { type: 'boolean' }, json: { type: 'boolean' } },

  async run({ options, positionals, stdout }) {
    const [ids] = exactPositionals(positionals, 'IDS');
    if (ids === '-' && options.model === '-') throw new UsageError('stdin cannot be both the model and the ids');
    const tokenizer = await Tokenizer.load(modelSource(options.model ?? (await defaultModel('embedder'))));
    for await (const one of textsOf(ids)) {
      const text = tokenizer.decode(idsIn('IDS', one), { skipSpecial: options.special !== true });
      await (options.json ? stdout.json({ text }) : stdout.line(text));
    }
    tokenizer.close();
    return DONE;
  },
});
