import { defineCommand } from '../command.js';
import { DONE } from '../exit_status.js';
import { MODEL_HELP, MODEL_OPTIONS } from '../model_options.js';
import { exactPositionals } from '../positionals.js';
import { textsOf } from '../text_arguments.js';
import { openTokenizer } from '../tokenizers.js';
import { UsageError } from '../usage_error.js';

export default defineCommand({
  help: `Usage: quintet tokenize TEXT [options]

Shows the tokens of a text as the model sees them, with those of begin ([CLS], <s>) and end ([SEP])
that it wants, nothing cut: a line of ids and a line of tokens. The model is an embedder, a text
generator, or a file or folder that has a tokenizer and nothing else.

${MODEL_HELP}
  --json                  one JSON line per text: {"ids": [...], "tokens": [...]}

TEXT may be - for one text per line of stdin.`,
  options: { ...MODEL_OPTIONS, json: { type: 'boolean' } },

  async run({ options, positionals, stdout, stderr }) {
    const [text] = exactPositionals(positionals, 'TEXT');
    if (text === '-' && options.model === '-') {
      throw new UsageError('stdin cannot be both the model and the texts');
    }
    const tokenizer = await openTokenizer(options, stderr);
    for await (const one of textsOf(text)) {
      const { ids, tokens } = await tokenizer.tokenize(one);
      if (options.json) await stdout.json({ ids, tokens });
      else await stdout.line(`${ids.join(' ')}\n${tokens.join(' ')}`);
    }
    tokenizer.close();
    return DONE;
  },
});
