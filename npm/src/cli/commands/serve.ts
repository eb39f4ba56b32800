import { totalmem } from 'node:os';
import { maxConcurrency } from '../../generate/together/lanes.js';
import { openAI } from '../../integrations/openai/index.js';
import { defineCommand, type OptionTable, type OptionValues } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { interruptible } from '../interrupts.js';
import { defaultModel } from '../models/default_models.js';
import { choiceOption, countOption, sizeOption } from '../options/arguments.js';
import { ENGINE_OPTIONS, engineOptions } from '../options/engine_options.js';
import { GENERATOR_OPTIONS, kvCacheOption } from '../options/generator_options.js';
import { loopbackHosts } from '../serve/access.js';
import { ModelPool } from '../serve/model_pool.js';
import { type GivenModel, modelLoaders, type ServedOptions } from '../serve/served_models.js';
import { ModelServer } from '../serve/server.js';

const defaultPort = 8080;

const OPTIONS = {
  embedder: {
    type: 'string',
    multiple: true,
    value: 'MODEL',
    help: 'an embedder to serve; may be given more than once',
  },
  reranker: {
    type: 'string',
    multiple: true,
    value: 'MODEL',
    help: 'a reranker to serve; may be given more than once',
  },
  host: { type: 'string', value: 'HOST', help: 'the address to listen on; default: `127.0.0.1`, only this machine' },
  port: { type: 'string', value: 'PORT', help: `port to listen on; default: ${defaultPort}; 0 for any free port` },
  'api-key': {
    type: 'string',
    value: 'KEY',
    help: 'requests must have this key; better in the environment, as `QUINTET_API_KEY`',
  },
  cors: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    help: "allow requests from pages of this origin; '*' for all; may be given more than once",
  },
  memory: {
    type: 'string',
    value: 'SIZE',
    help: 'maximum memory of loaded models, such as 4GB; default: half of this machine',
  },
  'idle-time': {
    type: 'string',
    value: 'SECONDS',
    help: 'unload a model after this time without requests; default: 300',
  },
  'max-requests': {
    type: 'string',
    value: 'N',
    help: 'maximum number of requests, waiting ones included; more get status 429; default: 64',
  },
  concurrency: {
    type: 'string',
    value: 'N',
    help: 'answers of a model that are computed together, up to 64; others wait; default: 8',
  },
  'max-body': { type: 'string', value: 'SIZE', help: 'largest body of a request; default: 32MB' },
  quantize: GENERATOR_OPTIONS.quantize,
  'kv-cache': GENERATOR_OPTIONS['kv-cache'],
  'context-length': {
    type: 'string',
    value: 'N',
    help: "size of the context in tokens; default: the model's own limit",
  },
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

/** The time that answers have to finish when the server ends. */
const graceMs = 30_000;
/** The time that a client may pause while it sends its request or reads its answer. */
const stalledMs = 120_000;

export default defineCommand({
  usage: ['serve [MODEL...] [options]'],
  description: `Serves models over HTTP in the protocol of OpenAI's API, for its clients, editors and other
programs: chat completions, completions, responses, embeddings and ranks. MODEL is a text generator;
NAME=MODEL gives it the name that requests use. A model is loaded when a request first names it.
Without models it serves those of quintet-models. The page at / is for chatting.`,
  options: OPTIONS,
  notes: `Each request is a line of JSON on stdout: what was requested and how it ended, but no message texts.
After SIGTERM or Ctrl-C, requests in progress may finish.`,
  examples: [
    'quintet serve hf:Qwen/Qwen3-0.6B-GGUF:Q8_0',
    'quintet serve chat=model.gguf --embedder hf:BAAI/bge-small-en-v1.5 --port 9000',
    'QUINTET_API_KEY=secret quintet serve model.gguf --host 0.0.0.0 --cors https://example.org',
  ],

  async run({ options, positionals, stdout, stderr }) {
    const port = countOption('port', options.port, 0) ?? defaultPort;
    if (port > 65535) throw new UsageError(`--port takes a number up to 65535, not '${port}'`);
    const host = options.host ?? '127.0.0.1';
    const pool = new ModelPool(modelLoaders(await givenModels(positionals, options), servedOptions(options)), {
      idleMs: 1000 * (countOption('idle-time', options['idle-time']) ?? 300),
      maxBytes: sizeOption('memory', options.memory) ?? totalmem() / 2,
    });
    const isLocal = loopbackHosts.includes(host) || host === '::1';
    const concurrency = countOption('concurrency', options.concurrency);
    if (concurrency !== undefined && concurrency > maxConcurrency)
      throw new UsageError(`--concurrency takes a number up to ${maxConcurrency}, not '${concurrency}'`);
    const handler = openAI({ models: pool.sources(), ...(concurrency !== undefined && { concurrency }) });
    const server = new ModelServer(handler, pool, {
      host,
      port,
      apiKey: options['api-key'] ?? process.env['QUINTET_API_KEY'],
      origins: options.cors ?? [],
      hosts: isLocal ? loopbackHosts : undefined,
      maxBody: sizeOption('max-body', options['max-body']) ?? 32e6,
      maxRequests: countOption('max-requests', options['max-requests']) ?? 64,
      stalledMs,
      log: (entry) => void stdout.json(entry),
    });
    const url = await server.start();
    await stderr.note(`listening at ${url}`);
    await new Promise<void>((resolve) => {
      void interruptible(resolve, () => new Promise<never>(() => {}), ['SIGINT', 'SIGTERM']);
    });
    await stderr.note('finishing the requests in progress');
    await server.end(graceMs);
    return DONE;
  },
});

type ServeOptions = OptionValues<typeof OPTIONS>;

async function givenModels(positionals: readonly string[], options: ServeOptions): Promise<GivenModel[]> {
  const of = (kind: GivenModel['kind'], models: readonly string[] = []) => models.map((given) => ({ kind, given }));
  const models = [
    ...of('generator', positionals),
    ...of('embedder', options.embedder),
    ...of('reranker', options.reranker),
  ];
  if (models.length > 0) return models;
  return [
    { kind: 'generator', given: await defaultModel('storyteller') },
    { kind: 'embedder', given: await defaultModel('embedder') },
  ];
}

function servedOptions(options: ServeOptions): ServedOptions {
  const quantize = choiceOption('quantize', options.quantize, ['none', 'int8', 'int4']);
  const kvCache = kvCacheOption(options);
  const contextLength = countOption('context-length', options['context-length']);
  return {
    generator: {
      ...(quantize && { quantize }),
      ...(kvCache && { kvCache }),
      ...(contextLength !== undefined && { contextLength }),
    },
    engine: engineOptions(options),
  };
}
