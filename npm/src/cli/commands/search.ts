import { stat } from 'node:fs/promises';
import type { Embedder, EmbedOptions, SearchIndex } from '../../node.js';
import { choiceOption, countOption, requiredOption } from '../arguments.js';
import { defineCommand } from '../command.js';
import { Corpus, spoolStdin } from '../corpus.js';
import { EMBED_HELP, EMBED_OPTIONS, embedOptions } from '../embed_options.js';
import { DONE } from '../exit_status.js';
import { difference, sha256OfFile, type Fingerprint } from '../fingerprint.js';
import { readSavedIndex, writeIndex } from '../index_file.js';
import { lineBatches } from '../lines.js';
import { MODEL_HELP, MODEL_OPTIONS, loadEmbedder, modelPath } from '../model_options.js';
import type { Output } from '../output.js';
import { buildIndex, findPassages, type Hit } from '../passage_index.js';
import { onlyPositional } from '../positionals.js';
import { ProgressBar } from '../progress_bar.js';
import { LINE_FORMATS } from '../records.js';
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
      const build = () => buildWithProgress(corpus, embedder, settings, stderr);
      const index =
        options.index === undefined
          ? await build()
          : await reuseOrBuild(options.index, await fingerprint(corpus, await modelPath(options), settings), build, stderr);
      for await (const text of queries(query)) {
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

async function fingerprint(corpus: Corpus, model: string, options: EmbedOptions): Promise<Fingerprint> {
  return {
    corpus: await sha256OfFile(corpus.path),
    model: await sha256OfFile(model),
    settings: JSON.stringify({ ...options, lines: corpus.format }),
  };
}

async function reuseOrBuild(
  path: string,
  current: Fingerprint,
  build: () => Promise<SearchIndex>,
  stderr: Output,
): Promise<SearchIndex> {
  const saved = await readSavedIndex(path);
  const reason = saved && difference(saved.fingerprint, current);
  if (saved && reason === undefined) return saved.open();
  if (reason !== undefined) await stderr.line(`${path}: ${reason}, building it again`);
  const index = await build();
  await writeIndex(path, index, current);
  await stderr.line(`${path}: saved, ${(await stat(path)).size} bytes`);
  return index;
}

async function buildWithProgress(
  corpus: Corpus,
  embedder: Embedder,
  options: EmbedOptions,
  stderr: Output,
): Promise<SearchIndex> {
  const started = performance.now();
  const bar = new ProgressBar(stderr, 'indexing');
  try {
    const { index, passages } = await buildIndex(corpus, embedder, options, (bytes) => bar.update(bytes, corpus.bytes));
    bar.clear();
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    await stderr.line(`indexed ${passages} passages in ${seconds} s`);
    return index;
  } finally {
    bar.clear();
  }
}

async function* queries(argument: string): AsyncGenerator<string> {
  if (argument !== '-') {
    yield argument;
    return;
  }
  for await (const lines of lineBatches(process.stdin)) {
    for (const { text } of lines) if (text.trim() !== '') yield text;
  }
}

function hitsText(hits: Hit[]): string {
  return hits
    .map(({ id, score, title, text }) => `${score.toFixed(4)}  ${id}${title === undefined ? '' : `  ${title}`}\n        ${text}\n`)
    .join('\n');
}
