import { Tokenizer } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { defaultModel } from '../models/default_models.js';
import { TOKENIZER_MODEL_HELP } from '../options/model_options.js';
import { exactPositionals } from '../options/positionals.js';
import { textsOf } from '../options/text_arguments.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  usage: ['tokenize TEXT [options]'],
  description: `Shows the token ids of a text and the tokens they stand for, as the model sees them: with the
tokens it expects at the start ([CLS], <s>) and the end ([SEP]), nothing cut off. TEXT may be - to
read one text per line from stdin.`,
  options: {
    model: { type: 'string', short: 'm', value: 'FILE', help: TOKENIZER_MODEL_HELP },
    json: { type: 'boolean', help: 'print one JSON line per text: {"ids", "tokens"}' },
  },
  examples: [
    'quintet tokenize "The cat sat on the mat."',
    'quintet tokenize --model tokenizer.json --json - < texts.txt',
  ],

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
