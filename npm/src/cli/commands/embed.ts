import type { EmbedOptions } from '../../index.js';
import { defineCommand, type Invocation, type OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { EmbedderOnDemand } from '../models/embedder_on_demand.js';
import { fingerprintOfModel } from '../models/fingerprint.js';
import { EMBED_OPTIONS, embedOptions, TEXT_PROMPT_OPTIONS, textPrompt } from '../options/embed_options.js';
import { loadEmbedder, MODEL_OPTIONS, modelPath, modelSettings } from '../options/model_options.js';
import { fieldSettings, RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import { SHARD_OPTIONS, type ShardSettings, shardSettings } from '../options/shard_options.js';
import { lineBatches } from '../output/lines.js';
import { embedLines } from '../records/embed_lines.js';
import { embedTexts } from '../records/embed_texts.js';
import { type RecordForm, RecordReader } from '../records/record_reader.js';
import { embedShards, type ShardingPlan } from '../shards/embed_shards.js';
import { ShardFolder } from '../shards/shard_folder.js';

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...EMBED_OPTIONS,
  ...TEXT_PROMPT_OPTIONS,
  json: { type: 'boolean', help: 'the output is always JSON lines' },
  ...RECORD_OPTIONS,
  ...SHARD_OPTIONS,
} as const;

type EmbedCommandOptions = OptionValues<typeof OPTIONS>;

export default defineCommand({
  usage: ['embed [TEXT...] [options]'],
  description: `Prints one JSON line per text: {"index", "line", "id", "tokens", "truncated", "embedding"}.
Without TEXT, or with -, the texts are the lines of stdin: plain text, or JSON like {"id": "a",
"text": "..."}. They are streamed, so any number of lines takes the same memory. A line that
cannot be embedded gives {"index", "line", "id", "error"} in its place, and exit status 1 at the
end.`,
  options: OPTIONS,
  examples: [
    'quintet embed "a cat on a mat"',
    'quintet embed < lines.txt > vectors.jsonl',
    'quintet embed --model all-MiniLM-L6-v2 --quantize int8 "a cat on a mat"',
    'quintet embed --lines jsonl --output-shards vectors/ < corpus.jsonl',
  ],

  async run(invocation) {
    const { options, positionals, stdout, stderr } = invocation;
    const shards = shardSettings(options);
    const form = recordForm(options);
    const settings = { ...embedOptions(options), ...textPrompt(options) };
    if (positionals.length === 0 || positionals.join() === '-') {
      return embedStdin(form, settings, shards, invocation);
    }
    refuseOptionsOfStdin(options);
    const embedder = await loadEmbedder(options, stderr);
    const tally = await embedTexts(positionals, embedder, settings, stdout);
    embedder.close();
    return tally.report(stderr, 'could not be embedded');
  },
});

function refuseOptionsOfStdin(options: EmbedCommandOptions): void {
  for (const name of ['id-field', 'text-field', 'output-shards'] as const) {
    if (options[name] !== undefined)
      throw new UsageError(`--${name} is for lines of stdin and cannot be used with TEXT`);
  }
}

async function embedStdin(
  form: RecordForm,
  settings: EmbedOptions,
  shards: ShardSettings | undefined,
  { options, stdout, stderr }: Invocation<typeof OPTIONS>,
): Promise<number> {
  if (options.model === '-') throw new UsageError('stdin cannot be both the model and the texts');
  const embedder = new EmbedderOnDemand(options, stderr);
  const reader = new RecordReader(form);
  const records = reader.batches(lineBatches(process.stdin));
  const tally = await (shards
    ? embedShards(records, await shardingPlan(shards, reader, embedder, settings, options), stdout)
    : embedLines(records, await embedder.ofRecords(settings), stdout));
  embedder.close();
  return tally.report(stderr, 'could not be embedded');
}

async function shardingPlan(
  { folder, size, replaces }: ShardSettings,
  reader: RecordReader,
  embedder: EmbedderOnDemand,
  settings: EmbedOptions,
  options: EmbedCommandOptions,
): Promise<ShardingPlan> {
  const model = await fingerprintOfModel(await modelPath(options));
  const others = otherSettings(options);
  return {
    folder: await ShardFolder.open(folder, replaces),
    size,
    source: () => ({ model, settings: JSON.stringify({ ...settings, lines: reader.format, ...others }) }),
    embedder: () => embedder.ofRecords(settings),
  };
}

/** Other options that change vectors or records, where they are not the default. */
function otherSettings(options: EmbedCommandOptions): Record<string, string> {
  return { ...fieldSettings(recordForm(options)), ...modelSettings(options) };
}
