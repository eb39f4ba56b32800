import type { TextGenerator } from '../../index.js';
import { defineCommand } from '../command.js';
import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import {
  COMPARE_OPTIONS,
  comparedPerplexity,
  comparedSettings,
  describeCompared,
  jsonOf,
} from '../kv/compared_perplexity.js';
import { requiredOption } from '../options/arguments.js';
import { GENERATOR_OPTIONS, kvCacheOption, loadGenerator } from '../options/generator_options.js';
import { exactPositionals } from '../options/positionals.js';
import { LONGEST_TEXT, wholeText } from '../options/text_arguments.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';

export default defineCommand({
  usage: ['perplexity --model FILE --text FILE [options]', 'perplexity --model FILE --text FILE --compare [options]'],
  description: `Measures how well a model predicts a text: exp of the mean of -ln p of its tokens. Lower is
better. A text longer than the context is scored in parts.`,
  options: {
    text: { type: 'string', value: 'FILE', help: 'the text; - for stdin' },
    json: {
      type: 'boolean',
      help:
        'print one JSON object: {"perplexity", "tokens", "kvCache"}; with --compare also "reference" (the perplexity ' +
        'with the uncompressed cache), "delta", "limit", "passed", "window", "stride", "groupSize" and "ratioToF16" ' +
        '(size in F16 divided by size in the file)',
    },
    ...GENERATOR_OPTIONS,
    ...COMPARE_OPTIONS,
  },
  examples: [
    'quintet perplexity --model model.amb --text article.txt',
    'quintet perplexity --model model.amb --text article.txt --compare --kv-cache int4',
  ],

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    const model = requiredOption('model', options.model);
    const file = requiredOption('text', options.text);
    if (model === '-' && file === '-') throw new UsageError('stdin cannot be both the model and the text');
    const usualCache = kvCacheOption(options);
    const kvCache = options['kv-cache'] ?? 'f32';
    const settings = comparedSettings(options);
    const text = await wholeText(file, 'the text', LONGEST_TEXT);
    const generator = await loadGenerator(options, stderr, settings ? 'f32' : usualCache);
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
