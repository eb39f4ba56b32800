import { DONE, UsageError } from '../ending.js';
import { Tokenizer } from '../../index.js';
import { defineCommand } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { exactPositionals } from '../options/positionals.js';
import { textsOf } from '../options/text_arguments.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  help: `Usage: quintet tokenize TEXT [options]

Shows the tokens of a text as the model sees them, with those of begin ([CLS], <s>) and end ([SEP])
that it wants, nothing cut: a line of ids and a line of tokens. The model is an embedder, a text
generator, or a file or folder that has a tokenizer and nothing else.

  -m, --model FILE    the model; default: the embedder of the package quintet-models
  --json              one JSON line per text: {"ids": [...], "tokens": [...]}

TEXT may be - for one text per line of stdin.`,
  options: { model: { type: 'string', short: 'm' }, json: { type: 'boolean' } },

  async run({ options, positionals, stdout }) {
    const [text] = exactPositionals(positionals, 'TEXT');
    if (text === '-' && options.model === '-') {
      throw new UsageError('stdin cannot be both the model and the texts');
    }
    const tokenizer = await Tokenizer.load(modelSource(options.model ?? (await defaultModel('embedder'))));
    for await (const one of textsOf(text)) {
      const ids = [...tokenizer.encode(one)];
      const tokens = ids.map((id) => tokenizer.token(id));
      if (options.json) await stdout.json({ ids, tokens });
      else await stdout.line(`${ids.join(' ')}\n${tokens.join(' ')}`);
    }
    tokenizer.close();
    return DONE;
  },
});
