import { readFile } from 'node:fs/promises';
import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import { ioError, messageOf } from '../../base/errors.js';
import type { TextGenerator } from '../../index.js';
import { requiredOption } from '../options/arguments.js';
import { defineCommand } from '../command.js';
import {
  COMPARE_HELP,
  COMPARE_OPTIONS,
  comparedPerplexity,
  comparedSettings,
  describeCompared,
  jsonOf,
} from '../kv/compared_perplexity.js';
import { GENERATOR_HELP, GENERATOR_OPTIONS, kvCacheOption, loadGenerator } from '../options/generator_options.js';
import type { Output } from '../output/output.js';
import { exactPositionals } from '../options/positionals.js';
import { ProgressBar } from '../output/progress_bar.js';
import { wholeText } from '../options/text_arguments.js';

export default defineCommand({
  help: `Usage: quintet perplexity --model FILE --text FILE [options]

How well the model foresees a text: exp of the mean of -ln p of its tokens. Lower is better. A text
that is longer than the context is scored in parts.

  --text FILE             the text; - for stdin
${GENERATOR_HELP}
  --json                  one JSON object: {"perplexity", "tokens", "kvCache"}

${COMPARE_HELP}`,
  options: {
    text: { type: 'string' },
    compare: { type: 'boolean' },
    ...COMPARE_OPTIONS,
    ...GENERATOR_OPTIONS,
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    const model = requiredOption('model', options.model);
    const file = requiredOption('text', options.text);
    if (model === '-' && file === '-') throw new UsageError('stdin cannot be both the model and the text');
    const kvCache = kvCacheOption(options) ?? 'f32';
    const settings = comparedSettings(options);
    const text = file === '-' ? await wholeText('-') : await textFile(file);
    const generator = await loadGenerator(options, stderr, settings ? 'f32' : kvCache);
    try {
      if (settings) {
        const compared = await comparedPerplexity(text, settings, generator, stderr);
        if (options.json) await stdout.json(jsonOf(compared));
        else await stdout.line(describeCompared(compared));
        return compared.passed ? DONE : CHECK_FAILED;
      }
      const { perplexity, tokens } = await scored(text, generator, stderr);
      if (options.json) await stdout.json({ perplexity, tokens, kvCache });
      else await stdout.line(`perplexity ${perplexity.toFixed(4)} over ${tokens} tokens, KV cache ${kvCache}`);
      return DONE;
    } finally {
      generator.close();
    }
  },
});

async function scored(
  text: string,
  generator: TextGenerator,
  stderr: Output,
): Promise<{ perplexity: number; tokens: number }> {
  const bar = new ProgressBar(stderr, 'scoring');
  try {
    return await generator.perplexity(text, { onProgress: (done, total) => bar.update(done, total) });
  } finally {
    bar.clear();
  }
}

async function textFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
  });
}
