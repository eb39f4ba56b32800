import { availableParallelism, cpus } from 'node:os';
import { DONE, UsageError } from '../ending.js';
import { Embedder, capabilities } from '../../index.js';
import { alignColumns } from '../output/columns.js';
import { defineCommand } from '../command.js';
import { defaultModel } from '../models/default_models.js';
import { exactPositionals } from '../options/positionals.js';
import { ProgressBar } from '../output/progress_bar.js';
import { modelSource } from '../output/sources.js';

const LENGTHS = [16, 64, 128, 256];
const MS_PER_MEASUREMENT = 600;
const LEAST_RUNS = 5;
// What `threads` takes.
const MOST_THREADS = 64;

interface Measurement {
  tokens: number;
  /** Median of one text's time. */
  ms: number;
  tokensPerSecond: number;
}

type Variant = 'baseline' | 'relaxed';

interface EngineReport {
  variant: Variant;
  threads: number;
  kernels: string;
  loadMs: number;
  measurements: Measurement[];
}

export default defineCommand({
  help: `Usage: quintet bench [--model FILE] [--json]

Speed of this machine on the embedder: one text of ${LENGTHS.join(', ')} tokens at a time, in one
thread and in one per processor, with every variant of the engine that runs here.

  -m, --model FILE    default: the embedder of the package quintet-models
  --json              one JSON object`,
  options: { model: { type: 'string', short: 'm' }, json: { type: 'boolean' } },

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    if (options.model === '-') throw new UsageError('the model is loaded more than once: no stdin');
    const model = options.model ?? (await defaultModel('embedder'));
    const bar = new ProgressBar(stderr, 'measuring');
    const engines = enginesHere();
    const reports: EngineReport[] = [];
    for (const engine of engines) {
      reports.push(await measureEngine(model, engine));
      bar.update(reports.length, engines.length);
    }
    bar.clear();
    const machine = { processor: cpus()[0]?.model ?? 'unknown', node: process.version };
    if (options.json) await stdout.json({ machine, model, engines: reports });
    else await stdout.line(`${machine.processor}, Node ${machine.node}\n${table(reports).join('\n')}`);
    return DONE;
  },
});

type EngineKind = Pick<EngineReport, 'variant' | 'threads'>;

function enginesHere(): EngineKind[] {
  const variants: Variant[] = capabilities().relaxedSimd ? ['baseline', 'relaxed'] : ['baseline'];
  const counts = new Set([1, Math.min(availableParallelism(), MOST_THREADS)]);
  return variants.flatMap((variant) => Array.from(counts, (threads) => ({ variant, threads })));
}

async function measureEngine(model: string, { variant, threads }: EngineKind): Promise<EngineReport> {
  const started = performance.now();
  const embedder = await Embedder.load(modelSource(model), { variant, threads });
  const loadMs = performance.now() - started;
  try {
    const measurements: Measurement[] = [];
    for (const tokens of LENGTHS) {
      if (tokens <= embedder.maxLength) measurements.push(await measure(embedder, tokens));
    }
    return { variant, threads, kernels: embedder.info.runtime?.kernels ?? variant, loadMs, measurements };
  } finally {
    embedder.close();
  }
}

async function measure(embedder: Embedder, tokens: number): Promise<Measurement> {
  const ids = someIds(tokens, embedder.info.tokenizer?.size ?? 1);
  await embedder.embedIds(ids);
  const times: number[] = [];
  const end = performance.now() + MS_PER_MEASUREMENT;
  while (performance.now() < end || times.length < LEAST_RUNS) {
    const started = performance.now();
    await embedder.embedIds(ids);
    times.push(performance.now() - started);
  }
  const ms = times.sort((a, b) => a - b)[times.length >> 1]!;
  return { tokens, ms, tokensPerSecond: (1000 * tokens) / ms };
}

/** Spread over the vocabulary, the same every time. */
function someIds(count: number, vocabulary: number): number[] {
  return Array.from({ length: count }, (_, i) => ((i + 1) * 7919) % vocabulary);
}

function table(reports: EngineReport[]): string[] {
  const rows = reports.flatMap(({ variant, threads, measurements }) =>
    measurements.map(({ tokens, ms, tokensPerSecond }) => [
      variant,
      String(threads),
      String(tokens),
      ms.toFixed(2),
      String(Math.round(tokensPerSecond)),
    ]),
  );
  return alignColumns([['variant', 'threads', 'tokens', 'ms', 'tokens/s'], ...rows]);
}
