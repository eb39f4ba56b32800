import { failureLine, UsageError } from '../ending.js';
import type { EmbedOptions } from '../../index.js';
import { countOption, requiredOption } from '../options/arguments.js';
import { defineCommand, type OptionValues } from '../command.js';
import { Corpus, spoolStdin } from '../records/corpus.js';
import { CorpusIndexer, type CorpusIndex } from '../records/corpus_index.js';
import { EMBED_HELP, EMBED_OPTIONS, embedOptions } from '../options/embed_options.js';
import { LineTally } from '../output/line_tally.js';
import { EmbedderOnDemand } from '../models/embedder_on_demand.js';
import { MODEL_HELP, MODEL_OPTIONS, modelPath } from '../options/model_options.js';
import type { Output } from '../output/output.js';
import { findPassages, type Hit } from '../records/passage_index.js';
import { onlyPositional } from '../options/positionals.js';
import { errorRecord } from '../records/record_json.js';
import { RECORD_HELP, RECORD_OPTIONS, recordForm } from '../options/record_options.js';
import type { BadRecord } from '../records/records.js';
import { textsOf } from '../options/text_arguments.js';

const DEFAULT_HITS = 5;

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...EMBED_OPTIONS,
  ...RECORD_OPTIONS,
  corpus: { type: 'string', short: 'c' },
  index: { type: 'string', short: 'i' },
  k: { type: 'string', short: 'k' },
  json: { type: 'boolean' },
} as const;

type SearchOptions = OptionValues<typeof OPTIONS>;

export default defineCommand({
  help: `Usage: quintet search --corpus FILE [--index FILE] QUERY [-k N] [options]
       quintet search --corpus FILE --index FILE [options]

Finds the passages of a corpus that mean most nearly what QUERY says. The corpus has one passage per
line, plain or JSON lines like {"id": "a", "title": "...", "text": "..."} (the text is compared, the
title is shown). It is read line by line; in memory is one byte per dimension and passage, and what
an index needs to tell passages apart. Lines that cannot be used are left out and told on stderr;
then the exit status is 1. Without QUERY the index is made, where it is not there yet.

  -c, --corpus FILE       the passages; - for stdin
  -i, --index FILE        keep the index in this file; it is used again as long as the corpus,
                          the model and the options are the same, else it is built again
  -k N                    hits to show; default ${DEFAULT_HITS}
${MODEL_HELP}
${EMBED_HELP}

What the corpus holds:
${RECORD_HELP}

  --json                  one JSON line per query: {"query", "hits": [{"id", "score", "text", ...}]}

QUERY may be - for one query per line of stdin.`,
  options: OPTIONS,

  async run({ options, positionals, stdout, stderr }) {
    const corpusArgument = requiredOption('corpus', options.corpus);
    const query = queryOf(positionals, options);
    const k = countOption('k', options.k) ?? DEFAULT_HITS;
    const form = recordForm(options);
    const settings = embedOptions(options);
    refuseSharedStdin([corpusArgument, query, options.model]);
    if (options.index !== undefined && options.model === '-') {
      throw new UsageError('--index needs the model as a file, to know it again');
    }

    const spool = corpusArgument === '-' ? await spoolStdin() : undefined;
    try {
      const corpus = await Corpus.open(spool?.path ?? corpusArgument, form);
      const embedder = new EmbedderOnDemand(options, settings, stderr);
      const made = await indexOf(corpus, embedder, settings, options, stderr);
      for await (const text of query === undefined ? [] : textsOf(query)) {
        if (text.trim() === '') continue;
        const hits = await findPassages(made.index, corpus, await embedder.embed(text), k);
        if (options.json) await stdout.json({ query: text, hits });
        else await stdout.write(hitsText(hits));
      }
      embedder.close();
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
    throw new UsageError('stdin can be only one of the model, the corpus and the queries');
  }
}

async function indexOf(
  corpus: Corpus,
  embedder: EmbedderOnDemand,
  settings: EmbedOptions,
  options: SearchOptions,
  stderr: Output,
): Promise<CorpusIndex> {
  const tell = (record: BadRecord) => stderr.line(options.json ? errorRecord(record) : failureLine(record.fault));
  const indexer = new CorpusIndexer(corpus, () => embedder.ofRecords(), settings, stderr, tell);
  if (options.index === undefined) return indexer.build();
  return indexer.reuseOrBuild(options.index, await modelPath(options));
}

function tallyOf({ index, badLines }: CorpusIndex): LineTally {
  const tally = new LineTally();
  tally.lines = index.size + badLines;
  tally.bad = badLines;
  return tally;
}

function hitsText(hits: Hit[]): string {
  return hits
    .map(({ id, score, title, text }) => {
      const heading = title === undefined ? '' : `  ${title}`;
      return `${score.toFixed(4)}  ${id}${heading}\n        ${text}\n`;
    })
    .join('\n');
}
