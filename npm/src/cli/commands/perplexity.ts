import { readFile } from 'node:fs/promises';
import { ioError, messageOf } from '../../errors.js';
import { requiredOption } from '../arguments.js';
import { defineCommand } from '../command.js';
import { DONE } from '../exit_status.js';
import { GENERATOR_HELP, GENERATOR_OPTIONS, kvCacheOption, loadGenerator, type KvCache } from '../generator_options.js';
import type { Output } from '../output.js';
import { exactPositionals } from '../positionals.js';
import { ProgressBar } from '../progress_bar.js';
import { wholeText } from '../text_arguments.js';
import { UsageError } from '../usage_error.js';

export default defineCommand({
  help: `Usage: quintet perplexity --model FILE --text FILE [options]

How well the model foresees a text: exp of the mean of -ln p of its tokens. Lower is better. A text
that is longer than the context is scored in parts.

  --text FILE             the text; - for stdin
  --compare               beside the same with a KV cache in float32, with the difference
${GENERATOR_HELP}
  --json                  one JSON object: {"perplexity", "tokens", "kvCache"}, with --compare also
                          "reference" and "delta"`,
  options: {
    text: { type: 'string' },
    compare: { type: 'boolean' },
    ...GENERATOR_OPTIONS,
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    const model = requiredOption('model', options.model);
    const file = requiredOption('text', options.text);
    if (model === '-' && (file === '-' || options.compare)) {
      throw new UsageError('stdin can be read once: --model - goes neither with --text - nor with --compare');
    }
    const kvCache = kvCacheOption(options) ?? 'f32';
    const text = file === '-' ? await wholeText('-') : await textFile(file);
    const measure = async (type: KvCache) => {
      const generator = await loadGenerator(options, stderr, type);
      try {
        return await scored(text, generator, stderr);
      } finally {
        generator.close();
      }
    };
    const { perplexity, tokens } = await measure(kvCache);
    const compared = options.compare ? comparison(perplexity, (await measure('f32')).perplexity) : {};
    if (options.json) await stdout.json({ perplexity, tokens, kvCache, ...compared });
    else await stdout.line(describe(perplexity, tokens, kvCache, compared));
    return DONE;
  },
});

interface Comparison {
  reference?: number;
  delta?: number;
}

const comparison = (perplexity: number, reference: number): Comparison => ({ reference, delta: perplexity - reference });

function describe(perplexity: number, tokens: number, kvCache: KvCache, { reference, delta }: Comparison): string {
  const line = `perplexity ${perplexity.toFixed(4)} over ${tokens} tokens, KV cache ${kvCache}`;
  if (reference === undefined || delta === undefined) return line;
  return `${line}\nwith f32 ${reference.toFixed(4)}: ${delta < 0 ? '' : '+'}${delta.toFixed(4)}`;
}

async function scored(
  text: string,
  generator: Awaited<ReturnType<typeof loadGenerator>>,
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
