import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputError, ioError, messageOf, QuintetError } from '../../../base/errors.js';
import type { ImageEmbedder } from '../../../index.js';
import { defineCommand } from '../../command.js';
import { DONE, UsageError } from '../../ending.js';
import { hitsPage } from '../../images/hits_page.js';
import { PictureIndex } from '../../images/picture_index.js';
import { countOption, requiredOption } from '../../options/arguments.js';
import { IMAGE_EMBEDDER_OPTIONS, loadImageEmbedder } from '../../options/image_embedder_options.js';
import { exactPositionals } from '../../options/positionals.js';
import { writeAtomically } from '../../output/atomic_file.js';
import { printable } from '../../output/columns.js';
import { openInBrowser } from '../../output/open_in_browser.js';

const DEFAULT_HITS = 10;

export default defineCommand({
  usage: ['images search INDEX QUERY --model DIR [options]', 'images search INDEX --image FILE --model DIR [options]'],
  description: `Finds the pictures of an index that QUERY describes best, or that are most like another picture. The
index was made by 'quintet images index' with the same model. Prints the cosine of each picture and
its path, best first.`,
  options: {
    'top-k': { type: 'string', short: 'k', value: 'N', help: `number of pictures to show; default ${DEFAULT_HITS}` },
    image: { type: 'string', value: 'FILE', help: 'find pictures like this JPEG or PNG file' },
    taken: {
      type: 'string',
      value: 'WHEN',
      help: 'only JPEG files taken then, by their Exif data: a year, a month or a day, such as 2023-07',
    },
    html: { type: 'string', value: 'FILE', help: 'also write a web page that shows the pictures' },
    open: { type: 'boolean', help: 'show the pictures in a browser, with the page of --html or a temporary one' },
    ...IMAGE_EMBEDDER_OPTIONS,
    json: {
      type: 'boolean',
      help: 'print one JSON object: {"query", "hits": [{"path", "score", "taken"}]}, or with --image {"image", "hits"}',
    },
  },
  examples: [
    'quintet images search photos.qix "a dog on a beach" --model clip-vit-base-patch32',
    'quintet images search photos.qix --image dog.jpg --model clip-vit-base-patch32 --html dogs.html',
    'quintet images search photos.qix "a cake" --taken 2023 --open --model clip-vit-base-patch32',
  ],

  async run({ options, positionals, stdout, stderr }) {
    const { image, open, taken } = options;
    const [path, query] = image === undefined ? exactPositionals(positionals, 'INDEX', 'QUERY') : [only(positionals)];
    const k = countOption('top-k', options['top-k']) ?? DEFAULT_HITS;
    requiredOption('model', options.model);
    checkTaken(taken);
    const embedder = await loadImageEmbedder(options, stderr, { towers: image === undefined ? 'text' : 'both' });
    const index = await PictureIndex.open(path, embedder);
    if (!index) throw inputError('missing', `there is no index ${path}`);
    const vector = query === undefined ? await vectorOf(embedder, image!) : await embedder.embedText(query);
    const hits = index.nearest(vector, k, taken);
    embedder.close();
    const html = options.html ?? (open ? join(await mkdtemp(join(tmpdir(), 'quintet-')), 'pictures.html') : undefined);
    if (html !== undefined) {
      await writeAtomically(html, [new TextEncoder().encode(hitsPage(html, query ?? image!, hits))]);
    }
    if (options.json) await stdout.json({ ...(query === undefined ? { image } : { query }), hits });
    else for (const hit of hits) await stdout.line(`${hit.score.toFixed(4)}  ${printable(hit.path)}`);
    if (open) await openInBrowser(html!);
    return DONE;
  },
});

function checkTaken(taken: string | undefined): void {
  if (taken === undefined || /^\d{4}(-\d\d){0,2}$/.test(taken)) return;
  throw new UsageError(`--taken takes a year, a month or a day, such as 2023-07, not '${taken}'`);
}

function only(positionals: string[]): string {
  if (positionals.length > 1) throw new UsageError('QUERY and --image cannot be used together');
  return exactPositionals(positionals, 'INDEX')[0];
}

/** An error names the file. */
async function vectorOf(embedder: ImageEmbedder, path: string): Promise<Float32Array> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
  });
  return embedder.embedImage(bytes).catch((error: unknown) => {
    if (!(error instanceof QuintetError)) throw error;
    const { code, message, ...details } = error;
    throw new QuintetError(code, `${path}: ${message}`, details);
  });
}
