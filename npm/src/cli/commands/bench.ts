import { availableParallelism, cpus } from 'node:os';
import { basename } from 'node:path';
import { capabilities } from '../../index.js';
import { TEXT_LENGTHS } from '../bench/embedder.js';
import { GENERATED_TOKENS, PROMPT_TOKENS } from '../bench/generator.js';
import { type BenchedModel, benchedModels } from '../bench/kinds.js';
import { benchModel, LEAST_COSINE, type ModelReport } from '../bench/model_bench.js';
import type { EngineSettings, Measurement, Variant } from '../bench/subject.js';
import { defineCommand, type OptionTable } from '../command.js';
import { CHECK_FAILED, DONE, UsageError } from '../ending.js';
import { engineOptions } from '../options/engine_options.js';
import { exactPositionals } from '../options/positionals.js';
import { alignColumns } from '../output/columns.js';
import { ProgressBar } from '../output/progress_bar.js';

// The most that `threads` accepts.
const MAX_THREADS = 64;

const OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    value: 'FILE',
    help: 'an embedder, text generator or classifier; default: all three models of quintet-models',
  },
  threads: {
    type: 'string',
    short: 't',
    value: 'N',
    help: 'measure this number of threads, or `auto`: one per processor; default: 1 and `auto`',
  },
  variant: {
    type: 'string',
    value: 'V',
    help: 'measure this build of the engine: `baseline` or `relaxed`; default: both, if they run here',
  },
  json: {
    type: 'boolean',
    help:
      'print one JSON object: {"machine": {"processor", "node"}, "models": [{"model", "kind", "engines": [{"variant", ' +
      '"threads", "kernels", "loadMs", "measurements"}], "worstCosine", "passed"}]}',
  },
} as const satisfies OptionTable;

export default defineCommand({
  usage: ['bench [options]'],
  description: `Measures the speed of models on this machine.

  embedder     one text of ${TEXT_LENGTHS.join(', ')} tokens at a time
  generator    reading a prompt of ${PROMPT_TOKENS} tokens, and generating ${GENERATED_TOKENS} tokens
  classifier   one image at a time, already decoded and scaled

Times are medians. The answers are checked as well: repeated calls must give the same values, and
all engines nearly the same (a cosine of at least ${LEAST_COSINE}). Exit status 1 if engines do
not agree.`,
  options: OPTIONS,
  examples: ['quintet bench', 'quintet bench --model model.gguf --threads 4 --json'],

  async run({ options, positionals, stdout, stderr }) {
    exactPositionals(positionals);
    if (options.model === '-') throw new UsageError('the model is loaded more than once and cannot be stdin');
    const engines = enginesToMeasure(engineOptions(options));
    const models = await benchedModels(options.model);
    const bar = new ProgressBar(stderr, 'measuring');
    const reports: ModelReport[] = [];
    let done = 0;
    for (const model of models) {
      reports.push(await benchModel(model, engines, () => bar.update(++done, models.length * engines.length)));
    }
    bar.clear();
    const machine = { processor: cpus()[0]?.model ?? 'unknown', node: process.version };
    if (options.json) await stdout.json({ machine, models: reports });
    else {
      await stdout.line(`${machine.processor}, Node ${machine.node}`);
      for (const [i, report] of reports.entries()) await stdout.line(`\n${describe(report, models[i]!)}`);
    }
    const failed = reports.filter(({ passed }) => !passed);
    for (const { model, worstCosine } of failed) {
      await stderr.line(`quintet: ${model}: engines do not agree, a cosine is ${worstCosine.toFixed(6)}`);
    }
    return failed.length === 0 ? DONE : CHECK_FAILED;
  },
});

function enginesToMeasure({ variant = 'auto', threads }: ReturnType<typeof engineOptions>): EngineSettings[] {
  const available: Variant[] = capabilities().relaxedSimd ? ['baseline', 'relaxed'] : ['baseline'];
  const variants = variant === 'auto' ? available : [variant];
  const all = Math.min(availableParallelism(), MAX_THREADS);
  const counts = threads === undefined ? [1, all] : [threads === 'auto' ? all : threads];
  return variants.flatMap((build) => Array.from(new Set(counts), (count) => ({ variant: build, threads: count })));
}

function describe({ model, kind, engines, worstCosine }: ModelReport, { kind: { columns } }: BenchedModel): string {
  const titles = ['variant', 'threads', ...columns.map(([title]) => title)];
  const rows = engines.flatMap(({ variant, threads, measurements }) =>
    measurements.map((measurement) => [
      variant,
      String(threads),
      ...columns.map(([, figure]) => cell(measurement, figure)),
    ]),
  );
  const agreement = engines.length > 1 ? [`cosine of the answers: ${worstCosine.toFixed(6)} or more`] : [];
  return [`${basename(model)} (${kind})`, ...alignColumns([titles, ...rows]), ...agreement].join('\n');
}

function cell(measurement: Measurement, figure: string): string {
  const value = measurement[figure]!;
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  return figure === 'ms' || value < 100 ? value.toFixed(2) : String(Math.round(value));
}
