import type { Embedder, EmbedOptions } from '../../node.js';
import { choiceOption } from '../arguments.js';
import { defineCommand } from '../command.js';
import { EMBED_HELP, EMBED_OPTIONS, embedOptions } from '../embed_options.js';
import { DONE } from '../exit_status.js';
import { lineBatches } from '../lines.js';
import { MODEL_HELP, MODEL_OPTIONS, loadEmbedder } from '../model_options.js';
import { float32Json } from '../numbers.js';
import { LINE_FORMATS, RecordReader, type LineFormat, type TextRecord } from '../records.js';
import { UsageError } from '../usage_error.js';

export default defineCommand({
  help: `Usage: quintet embed [TEXT...] [options]

Prints one JSON line per text: {"index", "id", "tokens", "truncated", "embedding"}. Without TEXT, or
with -, the texts are the lines of stdin, plain or JSON lines like {"id": "a", "text": "..."}; they
are read as they are used, so that any number of them takes the same memory.

${MODEL_HELP}
${EMBED_HELP}
  --lines L               auto (default: the first line decides), text or jsonl: what stdin holds
  --json                  the output is JSON lines with or without it`,
  options: {
    ...MODEL_OPTIONS,
    ...EMBED_OPTIONS,
    lines: { type: 'string' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const settings = embedOptions(options);
    const format = choiceOption('lines', options.lines, LINE_FORMATS) ?? 'auto';
    const fromStdin = positionals.length === 0 || positionals.join() === '-';
    if (fromStdin && options.model === '-') {
      throw new UsageError('stdin cannot be both the model and the texts');
    }
    const texts = fromStdin ? stdinRecords(format) : [records(positionals)];
    const embedder = await loadEmbedder(options, stderr);
    let index = 0;
    let cut = 0;
    for await (const batch of texts) {
      const { lines, truncated } = await embedBatch(embedder, batch, index, settings);
      await stdout.write(lines);
      index += batch.length;
      cut += truncated;
    }
    embedder.close();
    if (cut > 0) await stderr.line(`${cut} of ${index} texts were longer than the limit and cut`);
    return DONE;
  },
});

function records(texts: string[]): TextRecord[] {
  return texts.map((text) => ({ text, rest: {} }));
}

async function* stdinRecords(format: LineFormat): AsyncGenerator<TextRecord[]> {
  const reader = new RecordReader(format);
  for await (const lines of lineBatches(process.stdin)) {
    const batch = lines.map((line) => reader.read(line)).filter((record) => record !== undefined);
    if (batch.length > 0) yield batch;
  }
}

async function embedBatch(
  embedder: Embedder,
  batch: TextRecord[],
  firstIndex: number,
  options: EmbedOptions,
): Promise<{ lines: string; truncated: number }> {
  const texts = batch.map(({ text }) => text);
  const { vectors, dimension, tokens, truncated } = await embedder.encode(texts, options);
  let lines = '';
  for (const [i, { id }] of batch.entries()) {
    const facts = JSON.stringify({
      index: firstIndex + i,
      ...(id === undefined ? {} : { id }),
      tokens: tokens[i],
      truncated: truncated[i] !== 0,
    });
    const vector = vectors.subarray(i * dimension, (i + 1) * dimension);
    lines += `${facts.slice(0, -1)},"embedding":${float32Json(vector)}}\n`;
  }
  return { lines, truncated: truncated.reduce((sum, flag) => sum + flag, 0) };
}
