// The index that a search needs: built from the corpus, or taken from a file where nothing has changed.
import { stat } from 'node:fs/promises';
import type { Embedder, EmbedOptions, SearchIndex } from '../node.js';
import type { Corpus } from './corpus.js';
import { difference, sha256OfFile, type Fingerprint } from './fingerprint.js';
import { readSavedIndex, writeIndex } from './index_file.js';
import type { Output } from './output.js';
import { buildIndex } from './passage_index.js';
import { ProgressBar } from './progress_bar.js';

export class CorpusIndexer {
  constructor(
    private readonly corpus: Corpus,
    private readonly embedder: Embedder,
    private readonly options: EmbedOptions,
    private readonly stderr: Output,
  ) {}

  async build(): Promise<SearchIndex> {
    const { corpus, stderr } = this;
    const started = performance.now();
    const bar = new ProgressBar(stderr, 'indexing');
    const onProgress = (bytes: number) => bar.update(bytes, corpus.bytes);
    try {
      const { index, passages } = await buildIndex(corpus, this.embedder, this.options, onProgress);
      bar.clear();
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      await stderr.line(`indexed ${passages} passages in ${seconds} s`);
      return index;
    } finally {
      bar.clear();
    }
  }

  /** The index in the file `path`, made again where it was made of something else. */
  async reuseOrBuild(path: string, model: string): Promise<SearchIndex> {
    const current = await this.fingerprint(model);
    const saved = await readSavedIndex(path);
    const reason = saved && difference(saved.fingerprint, current);
    if (saved && reason === undefined) return saved.open();
    if (reason !== undefined) await this.stderr.line(`${path}: ${reason}, building it again`);
    const index = await this.build();
    await writeIndex(path, index, current);
    await this.stderr.line(`${path}: saved, ${(await stat(path)).size} bytes`);
    return index;
  }

  private async fingerprint(model: string): Promise<Fingerprint> {
    return {
      corpus: await sha256OfFile(this.corpus.path),
      model: await sha256OfFile(model),
      settings: JSON.stringify({ ...this.options, lines: this.corpus.format }),
    };
  }
}
