import { choiceOption, countOption, requiredOption } from '../arguments.js';
import { defineCommand } from '../command.js';
import { Corpus, spoolStdin } from '../corpus.js';
import { CorpusIndexer } from '../corpus_index.js';
import { EMBED_HELP, EMBED_OPTIONS, embedOptions } from '../embed_options.js';
import { DONE } from '../exit_status.js';
import { MODEL_HELP, MODEL_OPTIONS, loadEmbedder, modelPath } from '../model_options.js';
import { findPassages, type Hit } from '../passage_index.js';
import { onlyPositional } from '../positionals.js';
import { LINE_FORMATS } from '../records.js';
import { textsOf } from '../text_arguments.js';
import { UsageError } from '../usage_error.js';

const DEFAULT_HITS = 5;

export default defineCommand({
  help: `Usage: quintet search --corpus FILE [--index FILE] QUERY [-k N] [options]

Finds the passages of a corpus that mean most nearly what QUERY says. The corpus has one passage per
line, plain or JSON lines like {"id": "a", "title": "...", "text": "..."} (the text is compared, the
title is shown). It is read line by line; in memory is one byte per dimension and passage, and what
an index needs to tell passages apart.

  -c, --corpus FILE       the passages; - for stdin
  -i, --index FILE        keep the index in this file; it is used again as long as the corpus,
                          the model and the options are the same, else it is built again
  -k N                    hits to show; default ${DEFAULT_HITS}
${MODEL_HELP}
${EMBED_HELP}
  --lines L               auto (default: the first line decides), text or jsonl: what the corpus is
  --json                  one JSON line per query: {"query", "hits": [{"id", "score", "text", ...}]}

QUERY may be - for one query per line of stdin.`,
  options: {
    ...MODEL_OPTIONS,
    ...EMBED_OPTIONS,
    corpus: { type: 'string', short: 'c' },
    index: { type: 'string', short: 'i' },
    k: { type: 'string', short: 'k' },
    lines: { type: 'string' },
    json: { type: 'boolean' },
  },

  async run({ options, positionals, stdout, stderr }) {
    const corpusArgument = requiredOption('corpus', options.corpus);
    const query = onlyPositional(positionals, 'QUERY');
    const k = countOption('k', options.k) ?? DEFAULT_HITS;
    const format = choiceOption('lines', options.lines, LINE_FORMATS) ?? 'auto';
    const settings = embedOptions(options);
    refuseSharedStdin([corpusArgument, query, options.model]);
    if (options.index !== undefined && options.model === '-') {
      throw new UsageError('--index needs the model as a file, to know it again');
    }

    const spool = corpusArgument === '-' ? await spoolStdin() : undefined;
    try {
      const corpus = await Corpus.open(spool?.path ?? corpusArgument, format);
      const embedder = await loadEmbedder(options, stderr);
      const indexer = new CorpusIndexer(corpus, embedder, settings, stderr);
      const index = await (options.index === undefined
        ? indexer.build()
        : indexer.reuseOrBuild(options.index, await modelPath(options)));
      for await (const text of textsOf(query)) {
        if (text.trim() === '') continue;
        const hits = await findPassages(index, corpus, await embedder.embed(text, settings), k);
        if (options.json) await stdout.json({ query: text, hits });
        else await stdout.write(hitsText(hits));
      }
      embedder.close();
    } finally {
      await spool?.remove();
    }
    return DONE;
  },
});

function refuseSharedStdin(users: (string | undefined)[]): void {
  if (users.filter((argument) => argument === '-').length > 1) {
    throw new UsageError('stdin can be only one of the model, the corpus and the queries');
  }
}

function hitsText(hits: Hit[]): string {
  return hits
    .map(({ id, score, title, text }) => {
      const heading = title === undefined ? '' : `  ${title}`;
      return `${score.toFixed(4)}  ${id}${heading}\n        ${text}\n`;
    })
    .join('\n');
}
