import { Tokenizer } from '../../index.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { defaultModel } from '../models/default_models.js';
import { idsIn } from '../options/arguments.js';
import { TOKENIZER_MODEL_HELP } from '../options/model_options.js';
import { somePositionals } from '../options/positionals.js';
import { stdinLines } from '../options/text_arguments.js';
import { lineError, type TextLine } from '../output/lines.js';
import { modelSource } from '../output/sources.js';

export default defineCommand({
  usage: ['detokenize ID... [options]', 'detokenize - [options]'],
  description: `Shows the text of token ids, without special tokens. The ids are separate arguments, or
separated by commas or spaces. With - every line of stdin is a list of ids: 1 2 3, 1,2,3, or JSON,
either [1, 2, 3] or {"ids": [1, 2, 3]} as printed by 'quintet tokenize --json'.`,
  options: {
    model: { type: 'string', short: 'm', value: 'FILE', help: TOKENIZER_MODEL_HELP },
    special: { type: 'boolean', help: 'show special tokens too' },
    json: { type: 'boolean', help: 'print one JSON line per list of ids: {"text"}' },
  },
  examples: [
    'quintet detokenize --model model.gguf 1 15043 3186',
    'quintet tokenize --json "The cat sat on the mat." | quintet detokenize -',
  ],

  async run({ options, positionals, stdout }) {
    const ids = somePositionals(positionals, 'ID').join(' ');
    if (ids === '-' && options.model === '-') throw new UsageError('only one of the model and the ids can be stdin');
    const tokenizer = await Tokenizer.load(modelSource(options.model ?? (await defaultModel('embedder'))));
    for await (const list of listsOf(ids)) {
      const text = tokenizer.decode(list, { skipSpecial: options.special !== true });
      await (options.json ? stdout.json({ text }) : stdout.line(text));
    }
    tokenizer.close();
    return DONE;
  },
});

async function* listsOf(ids: string): AsyncGenerator<number[]> {
  if (ids !== '-') {
    yield idsIn('ID', ids);
    return;
  }
  for await (const line of stdinLines()) yield idsOfLine(line);
}

/** A blank line is an empty list, so that every line of the input has one in the output. */
function idsOfLine(line: TextLine): number[] {
  if (line.text.trim() === '') return [];
  if (!/^\s*[[{]/.test(line.text)) return idsIn(`line ${line.number}`, line.text);
  const ids = listIn(line);
  if (Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id) && id >= 0)) return ids as number[];
  throw lineError('malformed', line, 'is not a list of token ids like [1, 2, 3] or {"ids": [1, 2, 3]}', 'jsonl');
}

function listIn(line: TextLine): unknown {
  try {
    const value = JSON.parse(line.text) as unknown[] | { ids?: unknown };
    return Array.isArray(value) ? value : value.ids;
  } catch {
    throw lineError('malformed', line, 'is not JSON', 'jsonl');
  }
}
