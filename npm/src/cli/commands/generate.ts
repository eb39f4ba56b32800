import type { GenerateOptions, Generation, Prompt, Token } from '../../index.js';
import { defineCommand, type Invocation, type OptionTable } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { ADAPTER_OPTIONS, loadAdapters } from '../options/adapter_options.js';
import { CACHE_OPTIONS, cacheFiles, generateWithCache } from '../options/cache_options.js';
import { CONSTRAINT_OPTIONS, constraintFromStdin, constraintOptions } from '../options/constraint_options.js';
import { GENERATOR_OPTIONS, loadGenerator } from '../options/generator_options.js';
import { GUESSING_OPTIONS, loadDraft, lookupOption } from '../options/guessing_options.js';
import { exactPositionals } from '../options/positionals.js';
import { PROMPT_OPTIONS, promptSource } from '../options/prompt_options.js';
import { refuseTemperatureAsThreads, SAMPLING_OPTIONS, samplingOptions } from '../options/sampling_options.js';
import { describeSpeed, speedOf } from '../output/generation_speed.js';
import type { Output } from '../output/output.js';

const OPTIONS = {
  ...PROMPT_OPTIONS,
  json: {
    type: 'boolean',
    help:
      'print one JSON object at the end: {"text", "ids", "reason", "promptTokens", "tokens", "prefillTokens", ' +
      '"prefillMs", "decodeMs", "prefillTokensPerSecond", "tokensPerSecond"}',
  },
  logprobs: {
    type: 'string',
    value: 'N',
    help: 'with --json: add "logprobs", the log probability of each token and of the N most probable ones',
  },
  ...SAMPLING_OPTIONS,
  ...CONSTRAINT_OPTIONS,
  ...GUESSING_OPTIONS,
  ...GENERATOR_OPTIONS,
  ...ADAPTER_OPTIONS,
  ...CACHE_OPTIONS,
} as const satisfies OptionTable;

export default defineCommand({
  usage: ['generate --prompt TEXT [options]', 'generate --prompt-file FILE [options]'],
  description: `Continues a text and prints the result as it is generated. The speed goes to stderr at the end;
--quiet leaves it out. Without --model, the story model of quintet-models is used. With
--load-cache the prompt may be left out.`,
  options: OPTIONS,
  examples: [
    'quintet generate --prompt "Once upon a time" --temp 0.8',
    'quintet generate --model model.gguf --chat --prompt "Why is the sky blue?" --kv-cache f16',
    'quintet generate --prompt-file story.txt -n 100 -t 4',
    'quintet generate --model model.gguf --adapter style.gguf:0.5 --prompt "Dear Sir"',
    'quintet generate --model model.gguf --chat --prompt "Who wrote Faust?" --json-schema answer.json',
    'quintet generate --model large.gguf --draft small.gguf --prompt-file text.txt',
  ],

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    refuseTemperatureAsThreads(options.threads);
    const sampling = samplingOptions(options);
    const caches = cacheFiles(options);
    const source = promptSource(options, caches.load !== undefined);
    const fromStdin = [
      source.readsStdin,
      options.model === '-',
      options.draft === '-',
      caches.load?.path === '-',
      constraintFromStdin(options),
    ];
    if (fromStdin.filter(Boolean).length > 1) {
      throw new UsageError('only one of the model, the prompt, the cache and the grammar can be stdin');
    }
    if (options.logprobs !== undefined && !options.json) throw new UsageError('--logprobs needs --json');
    const prompt = await source.read();
    const constraint = await constraintOptions(options);
    const generator = await loadGenerator(options, stderr);
    const draft = await loadDraft(options, stderr);
    const wanted = {
      ...sampling,
      ...lookupOption(options),
      ...constraint,
      ...(draft && { draft }),
      ...(await loadAdapters(generator, options.adapter)),
    };
    const print = (model: TextSource) => printGeneration(model.generate(prompt, wanted), options, { stdout, stderr });
    if (caches.load || caches.save) await generateWithCache(caches, generator.createSession(), print);
    else await print(generator);
    generator.close();
    draft?.close();
    return DONE;
  },
});

/** A generator or a session. */
interface TextSource {
  generate(prompt: Prompt, options: GenerateOptions): Generation;
}

type GenerateInvocation = Invocation<typeof OPTIONS>;

async function printGeneration(
  generation: Generation,
  { json, logprobs }: GenerateInvocation['options'],
  { stdout, stderr }: Pick<GenerateInvocation, 'stdout' | 'stderr'>,
): Promise<void> {
  if (json) return printJson(generation, logprobs !== undefined, stdout);
  for await (const { text } of generation) if (text) await stdout.write(text);
  await stdout.write('\n');
  await stderr.note(describeSpeed(await generation.finished));
}

async function printJson(generation: Generation, withLogprobs: boolean, stdout: Output): Promise<void> {
  const tokens: Token[] = [];
  for await (const token of generation) tokens.push(token);
  const ids = tokens.map(({ id }) => id).filter((id) => id >= 0);
  const logprobs = withLogprobs ? { logprobs: tokens.filter(({ id }) => id >= 0) } : {};
  const summary = await generation.finished;
  await stdout.json({ text: await generation.text(), ids, ...summary, ...speedOf(summary), ...logprobs });
}
