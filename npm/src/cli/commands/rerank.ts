import { defineCommand } from '../command.js';
import { failureLine, UsageError } from '../ending.js';
import { countOption, requiredOption } from '../options/arguments.js';
import { ENGINE_OPTIONS } from '../options/engine_options.js';
import { QUANTIZE_OPTION } from '../options/model_options.js';
import { RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import { loadReranker } from '../options/reranker_options.js';
import { hitsText } from '../output/hits_text.js';
import { LineTally } from '../output/line_tally.js';
import { errorRecord } from '../records/record_json.js';
import { RecordReader } from '../records/record_reader.js';
import { readCandidates, rerank } from '../records/rerank_records.js';

export default defineCommand({
  usage: ['rerank --model FILE QUERY [TEXT...] [options]'],
  description: `Scores how well texts answer QUERY, with a cross-encoder, and prints them best first. Without TEXT,
the texts are the lines of stdin: plain text, or JSON like {"id": "a", "title": "...", "text":
"..."}. The id of a plain line or TEXT is its number. Lines that cannot be used are reported on
stderr, and the exit status is then 1.`,
  options: {
    model: {
      type: 'string',
      short: 'm',
      value: 'FILE',
      help: 'a reranker: a Hugging Face folder, a GGUF file or hf:OWNER/NAME',
    },
    'top-k': { type: 'string', short: 'k', value: 'N', help: 'number of texts to show; default: all' },
    json: { type: 'boolean', help: 'print one JSON line per text: {"id", "score", "text", ...}' },
    'max-length': {
      type: 'string',
      value: 'N',
      help: "maximum number of tokens of QUERY and a text together; the longer one is cut at its end; default: the model's limit",
    },
    ...QUANTIZE_OPTION,
    ...ENGINE_OPTIONS,
    ...RECORD_OPTIONS,
  },
  examples: [
    'quintet rerank --model bge-reranker-base "what do pandas eat" "bamboo" "a bear from China"',
    'quintet rerank --model bge-reranker-base -k 3 "what do pandas eat" < passages.jsonl',
  ],

  async run({ options, positionals, stdout, stderr }) {
    const model = requiredOption('model', options.model);
    const [query, ...texts] = positionals;
    if (query === undefined) throw new UsageError('QUERY is missing');
    if (model === '-' && texts.length === 0) throw new UsageError('stdin cannot be both the model and the texts');
    const topK = countOption('top-k', options['top-k']);
    const maxLength = countOption('max-length', options['max-length']);
    const reader = new RecordReader(recordForm(options));
    const { candidates, tally } =
      texts.length > 0
        ? { candidates: texts.map((text, i) => ({ id: String(i + 1), score: 0, text })), tally: new LineTally() }
        : await readCandidates(reader, (bad) => stderr.line(options.json ? errorRecord(bad) : failureLine(bad.fault)));
    tally.lines ||= candidates.length;
    const reranker = await loadReranker(model, options, stderr);
    const ranked = await rerank(reranker, query, candidates, { topK, maxLength, tally });
    reranker.close();
    if (options.json) for (const text of ranked) await stdout.json(text);
    else await stdout.write(hitsText(ranked));
    return tally.report(stderr, 'could not be scored');
  },
});
