import { join } from 'node:path';
import { buildSite } from '../../site/build/build_site.js';
import { reportText } from '../../site/build/report.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { interruptible } from '../interrupts.js';
import { onlyPositional } from '../options/positionals.js';
import { printable } from '../output/columns.js';
import { ProgressBar } from '../output/progress_bar.js';

export default defineCommand({
  usage: ['site DIR [options]'],
  description: `Builds the search of a static site: reads the HTML pages of DIR (its Markdown if it has no HTML),
and writes an index and the scripts that search it into DIR/search. A page then needs one line:

  <script type="module" src="/search/quintet-search.js"></script><quintet-search></quintet-search>

Run it after each build of the site: pages that have not changed are not read again.`,
  options: {
    out: { type: 'string', short: 'o', value: 'DIR', help: 'folder of the search; default: `search` in the site' },
    model: {
      type: 'string',
      short: 'm',
      value: 'M',
      help: 'static embedding (model2vec) for all languages: a folder, or a name such as hf:minishlab/potion-base-8M; default: the one in quintet-models, for English; a transformer is taken as --embedder',
    },
    embedder: {
      type: 'string',
      value: 'M',
      help: 'transformer that pages may load in the background: a file, a folder, or hf:OWNER/NAME; "default" for the one in quintet-models',
    },
    'no-model': { type: 'boolean', help: 'find pages only by their words' },
    lang: {
      type: 'string',
      value: 'L',
      help: 'language of pages that do not declare one, such as `en`; default: that of most other pages, else a guess',
    },
    base: { type: 'string', value: 'URL', help: 'address of the site, by which canonical links name its pages' },
    cache: {
      type: 'string',
      value: 'DIR',
      help: 'folder that caches the content of pages for the next build; default: `node_modules/.cache/quintet-site`, else `~/.cache/quintet/site`',
    },
    'no-cache': { type: 'boolean', help: 'keep nothing, and read all pages' },
    json: {
      type: 'boolean',
      help:
        'print one JSON object: {"out", "pages", "sections", "passages", "languages", "model", "embedder", "files", "bytes", ' +
        '"visit", "unchangedPages", "leftOut", "withoutText", "cutOff", "slowest", "seconds"}',
    },
  },
  examples: ['quintet site dist', 'quintet site public --lang de --out public/suche'],

  async run({ options, positionals, stdout, stderr }) {
    const dir = onlyPositional(positionals, 'DIR');
    const { out = join(dir, 'search'), lang, base, embedder } = options;
    const cache = unlessNo('cache', options.cache, options['no-cache']);
    const model = unlessNo('model', options.model, options['no-model']);
    const bar = new ProgressBar(stderr, 'reading');
    const stop = new AbortController();
    const report = await interruptible(
      () => stop.abort(),
      () =>
        buildSite({
          dir,
          out,
          ...(lang === undefined ? {} : { lang }),
          ...(base === undefined ? {} : { base }),
          ...(cache === undefined ? {} : { cache }),
          ...(model === undefined ? {} : { model }),
          ...(embedder === undefined ? {} : { embedder: embedder === 'default' || embedder }),
          signal: stop.signal,
          onProgress({ stage, done, total }) {
            bar.label = stage;
            bar.update(done, total);
          },
        }),
    ).finally(() => bar.clear());
    if (options.json) await stdout.json(report);
    else for (const line of reportText({ ...report, out }).split('\n')) await stdout.line(printable(line));
    return DONE;
  },
});

/** The value of an option, or false if its negation is given. */
function unlessNo(name: string, value: string | undefined, isDenied: boolean | undefined): string | false | undefined {
  if (value !== undefined && isDenied) throw new UsageError(`--${name} and --no-${name} exclude each other`);
  return isDenied ? false : value;
}
