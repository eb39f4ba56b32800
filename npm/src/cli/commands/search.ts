import type { EmbedOptions } from '../../index.js';
import { defineCommand, type OptionValues } from '../command.js';
import { failureLine, UsageError } from '../ending.js';
import { EmbedderOnDemand } from '../models/embedder_on_demand.js';
import { choiceOption, countOption, requiredOption } from '../options/arguments.js';
import {
  EMBED_OPTIONS,
  embedOptions,
  passagePrompt,
  SEARCH_PROMPT_OPTIONS,
  textPrompt,
} from '../options/embed_options.js';
import { MODEL_OPTIONS, modelPath, modelSettings } from '../options/model_options.js';
import { onlyPositional } from '../options/positionals.js';
import { RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import { loadReranker } from '../options/reranker_options.js';
import { textsOf } from '../options/text_arguments.js';
import { hitsText } from '../output/hits_text.js';
import { LineTally } from '../output/line_tally.js';
import type { Output } from '../output/output.js';
import { Corpus, spoolStdin } from '../records/corpus.js';
import { type CorpusIndex, CorpusIndexer } from '../records/corpus_index.js';
import { findPassages } from '../records/passage_index.js';
import { errorRecord } from '../records/record_json.js';
import type { BadRecord } from '../records/records.js';
import { rerank } from '../records/rerank_records.js';

const DEFAULT_HITS = 5;
/** Hits to rerank, for each that is shown. */
const CANDIDATES_PER_HIT = 10;

const OPTIONS = {
  corpus: { type: 'string', short: 'c', value: 'FILE', help: 'the passages, one per line; - for stdin' },
  index: {
    type: 'string',
    short: 'i',
    value: 'FILE',
    help: 'keep the index in this file; it is rebuilt when the corpus, the model or the options have changed',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    help: '`vector` (default): by meaning; `keyword`: by words (BM25); `hybrid`: by both',
  },
  'top-k': { type: 'string', short: 'k', value: 'N', help: `number of hits to show; default ${DEFAULT_HITS}` },
  rerank: {
    type: 'string',
    value: 'FILE',
    help: `rerank the best ${CANDIDATES_PER_HIT} x k hits with this model, and show its scores`,
  },
  json: { type: 'boolean', help: 'print one JSON line per query: {"query", "hits": [{"id", "score", "text", ...}]}' },
  ...MODEL_OPTIONS,
  ...EMBED_OPTIONS,
  ...SEARCH_PROMPT_OPTIONS,
  ...RECORD_OPTIONS,
} as const;

type SearchOptions = OptionValues<typeof OPTIONS>;

export default defineCommand({
  usage: ['search --corpus FILE [--index FILE] QUERY [-k N] [options]', 'search --corpus FILE --index FILE [options]'],
  description: `Finds the passages of a corpus that are closest in meaning to QUERY, or have its words. The corpus
has one passage per line: plain text, or JSON like {"id": "a", "title": "...", "text": "..."}, of
which the text is searched and the title shown. Memory: one byte per dimension and passage, plus a
few bytes per passage. Lines that cannot be used are reported on stderr, and the exit status is
then 1. Without QUERY the index is built or updated. QUERY may be - to read one query per line
from stdin.`,
  options: OPTIONS,
  examples: [
    'quintet search --corpus passages.jsonl "how do plants make food"',
    'quintet search --corpus passages.jsonl --index passages.index -k 3 "how do plants make food"',
    'quintet search --corpus passages.jsonl --index passages.index --mode hybrid "E. coli"',
  ],
  renamed: { '--k': '--top-k' },

  async run({ options, positionals, stdout, stderr }) {
    const corpusArgument = requiredOption('corpus', options.corpus);
    const query = queryOf(positionals, options);
    const k = countOption('top-k', options['top-k']) ?? DEFAULT_HITS;
    const mode = choiceOption('mode', options.mode, ['vector', 'keyword', 'hybrid']) ?? 'vector';
    const form = recordForm(options);
    const common = embedOptions(options);
    const settings = {
      query: { ...common, ...textPrompt(options) },
      passages: { ...common, ...passagePrompt(options) },
    };
    refuseSharedStdin([corpusArgument, query, options.model, options.rerank]);
    if (options.index !== undefined && options.model === '-') {
      throw new UsageError('--index needs the model as a file: the index depends on it');
    }

    const spool = corpusArgument === '-' ? await spoolStdin() : undefined;
    try {
      const corpus = await Corpus.open(spool?.path ?? corpusArgument, form);
      const embedder = new EmbedderOnDemand(options, stderr);
      const made = await indexOf(
        corpus,
        embedder,
        settings.passages,
        { ...options, needsWords: mode !== 'vector' },
        stderr,
      );
      const reranker = options.rerank === undefined ? undefined : await loadReranker(options.rerank, options, stderr);
      const candidates = reranker ? k * CANDIDATES_PER_HIT : k;
      for await (const text of query === undefined ? [] : textsOf(query)) {
        if (text.trim() === '') continue;
        const vector = mode === 'keyword' ? undefined : await embedder.embedQuery(text, settings.query);
        const found = await findPassages(made.index, corpus, text, { k: candidates, mode, ...(vector && { vector }) });
        const hits = reranker ? await rerank(reranker, text, found, { topK: k }) : found;
        if (options.json) await stdout.json({ query: text, hits });
        else await stdout.write(hitsText(hits));
      }
      embedder.close();
      reranker?.close();
      return await tallyOf(made).report(stderr, 'are not in the index');
    } finally {
      await spool?.remove();
    }
  },
});

function queryOf(positionals: string[], { index }: SearchOptions): string | undefined {
  return positionals.length === 0 && index !== undefined ? undefined : onlyPositional(positionals, 'QUERY');
}

function refuseSharedStdin(users: (string | undefined)[]): void {
  if (users.filter((argument) => argument === '-').length > 1) {
    throw new UsageError('only one of the models, the corpus and the queries can be stdin');
  }
}

async function indexOf(
  corpus: Corpus,
  embedder: EmbedderOnDemand,
  settings: EmbedOptions,
  options: SearchOptions & { needsWords: boolean },
  stderr: Output,
): Promise<CorpusIndex> {
  const report = (record: BadRecord) => stderr.line(options.json ? errorRecord(record) : failureLine(record.fault));
  const ofRecords = () => embedder.ofRecords({ ...settings, role: 'document' });
  const allSettings = { ...settings, ...modelSettings(options) };
  const indexer = new CorpusIndexer(corpus, ofRecords, allSettings, options.needsWords, stderr, report);
  if (options.index === undefined) return indexer.build();
  return indexer.reuseOrBuild(options.index, await modelPath(options));
}

function tallyOf({ index, badLines }: CorpusIndex): LineTally {
  const tally = new LineTally();
  tally.lines = index.size + badLines;
  tally.bad = badLines;
  return tally;
}
