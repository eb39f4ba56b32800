import { DONE, UsageError } from '../ending.js';
import type { ChatMessage, GenerateOptions, Generation, Prompt, Token } from '../../index.js';
import { requiredOption } from '../options/arguments.js';
import { CACHE_HELP, CACHE_OPTIONS, cacheFiles, generateWithCache } from '../options/cache_options.js';
import { defineCommand } from '../command.js';
import { GENERATOR_HELP, GENERATOR_OPTIONS, loadGenerator } from '../options/generator_options.js';
import type { Output } from '../output/output.js';
import { exactPositionals } from '../options/positionals.js';
import { SAMPLING_HELP, SAMPLING_OPTIONS, samplingOptions } from '../options/sampling_options.js';
import { wholeText } from '../options/text_arguments.js';

export default defineCommand({
  help: `Usage: quintet generate --prompt TEXT [options]

Continues a text, and prints what comes as it comes.

  -p, --prompt TEXT       - for stdin; '' where the model begins by itself, or goes on at once
                          after a loaded cache, where that is the default
  --chat                  TEXT is what a user says, and the model answers
  --system TEXT           with --chat: what the model is told before
  --template T            with --chat, where the file does not say it: llama-2, llama-3, mistral,
                          phi-3 or chatml
${SAMPLING_HELP}
${GENERATOR_HELP}
                          default: the storyteller of the package quintet-models
${CACHE_HELP}
  --json                  one JSON object at the end: {"text", "ids", "reason", "promptTokens",
                          "tokens", "prefillTokens", "prefillMs", "decodeMs"}
  --logprobs N            with --json: "logprobs", for each token with the N most probable ones`,
  options: {
    prompt: { type: 'string', short: 'p' },
    chat: { type: 'boolean' },
    system: { type: 'string' },
    ...SAMPLING_OPTIONS,
    ...GENERATOR_OPTIONS,
    ...CACHE_OPTIONS,
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    const sampling = samplingOptions(options);
    const caches = cacheFiles(options);
    const given = requiredOption('prompt', options.prompt ?? (caches.load && ''));
    if ([given, options.model, caches.load?.path].filter((path) => path === '-').length > 1) {
      throw new UsageError('stdin can be one only: the model, the prompt or the cache');
    }
    for (const name of ['system', 'template'] as const) {
      if (options[name] !== undefined && !options.chat) throw new UsageError(`--${name} goes with --chat`);
    }
    if (options.logprobs !== undefined && !options.json) throw new UsageError('--logprobs goes with --json');
    const prompt = promptOf(await wholeText(given), options.chat, options.system);
    const generator = await loadGenerator(options, stderr);
    const tell = async (teller: Teller) => {
      const generation = teller.generate(prompt, sampling);
      if (options.json) await printJson(generation, sampling.logprobs !== undefined, stdout);
      else await printText(generation, stdout);
    };
    if (caches.load || caches.save) await generateWithCache(caches, generator.createSession(), tell);
    else await tell(generator);
    generator.close();
    return DONE;
  },
});

/** A generator or a session. */
interface Teller {
  generate(prompt: Prompt, options: GenerateOptions): Generation;
}

function promptOf(text: string, chat: boolean | undefined, system: string | undefined): Prompt {
  if (!chat) return text;
  const told: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...told, { role: 'user', content: text }];
}

async function printText(generation: Generation, stdout: Output): Promise<void> {
  for await (const { text } of generation) if (text) await stdout.write(text);
  await stdout.write('\n');
}

async function printJson(generation: Generation, withLogprobs: boolean, stdout: Output): Promise<void> {
  const tokens: Token[] = [];
  for await (const token of generation) tokens.push(token);
  const ids = tokens.map(({ id }) => id).filter((id) => id >= 0);
  const logprobs = withLogprobs ? { logprobs: tokens.filter(({ id }) => id >= 0) } : {};
  await stdout.json({ text: await generation.text(), ids, ...(await generation.finished), ...logprobs });
}
