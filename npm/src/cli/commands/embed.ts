import { defineCommand, type OptionValues } from '../command.js';
import { embedLines } from '../embed_lines.js';
import { EMBED_HELP, EMBED_OPTIONS, embedOptions } from '../embed_options.js';
import { embedShards } from '../embed_shards.js';
import { EmbedderOnDemand } from '../embedder_on_demand.js';
import { DONE } from '../exit_status.js';
import { sha256OfFile } from '../fingerprint.js';
import type { LineTally } from '../line_tally.js';
import { lineBatches } from '../lines.js';
import { MODEL_HELP, MODEL_OPTIONS, loadEmbedder, modelPath } from '../model_options.js';
import type { Output } from '../output.js';
import { withEmbedding } from '../record_json.js';
import { RECORD_HELP, RECORD_OPTIONS, fieldSettings, recordForm } from '../record_options.js';
import { RecordReader, type RecordForm } from '../record_reader.js';
import { SHARD_HELP, SHARD_OPTIONS, shardSettings, type ShardSettings } from '../shard_options.js';
import { ShardFolder } from '../shard_folder.js';
import { UsageError } from '../usage_error.js';

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...EMBED_OPTIONS,
  ...RECORD_OPTIONS,
  ...SHARD_OPTIONS,
  json: { type: 'boolean' },
} as const;

type EmbedCommandOptions = OptionValues<typeof OPTIONS>;

export default defineCommand({
  help: `Usage: quintet embed [TEXT...] [options]

Prints one JSON line per text: {"index", "line", "id", "tokens", "truncated", "embedding"}. Without
TEXT, or with -, the texts are the lines of stdin, plain or JSON lines like {"id": "a", "text": "..."};
they are read as they are used, so that any number of them takes the same memory. A line that cannot
be embedded gives {"index", "line", "id", "error"} in its place, and exit status 1 at the end.

${MODEL_HELP}
${EMBED_HELP}

What stdin holds:
${RECORD_HELP}

Where the vectors go:
${SHARD_HELP}
  --json                  the output is JSON lines with or without it`,
  options: OPTIONS,

  async run({ options, positionals, stdout, stderr }) {
    const shards = shardSettings(options);
    const form = recordForm(options);
    if (positionals.length > 0 && positionals.join() !== '-') {
      refuseOptionsOfStdin(options);
      return embedTexts(positionals, options, stdout, stderr);
    }
    if (options.model === '-') throw new UsageError('stdin cannot be both the model and the texts');
    const tally = await embedStdin(form, shards, options, stdout, stderr);
    return tally.report(stderr, 'could not be embedded');
  },
});

function refuseOptionsOfStdin(options: EmbedCommandOptions): void {
  for (const name of ['id-field', 'text-field', 'output-shards'] as const) {
    if (options[name] !== undefined) throw new UsageError(`--${name} is for lines of stdin, not for TEXT`);
  }
}

/** Texts of the user's own hand: one that cannot be embedded ends it. */
async function embedTexts(
  texts: string[],
  options: EmbedCommandOptions,
  stdout: Output,
  stderr: Output,
): Promise<number> {
  const settings = embedOptions(options);
  const embedder = await loadEmbedder(options, stderr);
  const { vectors, dimension, tokens, truncated } = await embedder.encode(texts, settings);
  embedder.close();
  for (const index of texts.keys()) {
    const facts = JSON.stringify({ index, tokens: tokens[index], truncated: truncated[index] !== 0 });
    await stdout.line(withEmbedding(facts, vectors.subarray(index * dimension, (index + 1) * dimension)));
  }
  const cut = truncated.reduce((sum, flag) => sum + flag, 0);
  if (cut > 0) await stderr.line(`${cut} of ${texts.length} texts were longer than the limit and cut`);
  return DONE;
}

async function embedStdin(
  form: RecordForm,
  shards: ShardSettings | undefined,
  options: EmbedCommandOptions,
  stdout: Output,
  stderr: Output,
): Promise<LineTally> {
  const settings = embedOptions(options);
  const embedder = new EmbedderOnDemand(options, settings, stderr);
  const reader = new RecordReader(form);
  const records = reader.batches(lineBatches(process.stdin));
  try {
    if (!shards) return await embedLines(records, await embedder.ofRecords(), stdout);
    const model = await sha256OfFile(await modelPath(options));
    const folder = await ShardFolder.open(shards.folder, shards.replaces);
    const source = () => ({ model, settings: JSON.stringify({ ...settings, lines: reader.format, ...others(form, options) }) });
    return await embedShards(records, { folder, size: shards.size, source, embedder: () => embedder.ofRecords() }, stdout);
  } finally {
    embedder.close();
  }
}

/** Further options that make other shards, where they are not left to their defaults. */
function others(form: RecordForm, options: EmbedCommandOptions): Record<string, string> {
  const { variant, 'attention-heads': attentionHeads } = options;
  return {
    ...fieldSettings(form),
    ...(variant === undefined || variant === 'auto' ? {} : { variant }),
    ...(attentionHeads === undefined ? {} : { attentionHeads }),
  };
}
