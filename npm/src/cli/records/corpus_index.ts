// The index for a search: built from the corpus, or read from a file if nothing has changed.
import { stat } from 'node:fs/promises';
import type { SearchIndex } from '../../index.js';
import { difference, type Fingerprint, fingerprintOfModel, sha256OfFile } from '../models/fingerprint.js';
import { fieldSettings } from '../options/record_options.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import type { Corpus } from './corpus.js';
import { readSavedIndex, writeIndex } from './index_file.js';
import { buildIndex } from './passage_index.js';
import type { RecordEmbedder } from './record_embedder.js';
import type { BadRecord } from './records.js';

export interface CorpusIndex {
  /** Its payloads are offsets in the corpus. */
  index: SearchIndex<number>;
  /** Lines of the corpus that are not in the index. */
  badLines: number;
}

export class CorpusIndexer {
  /** Building an index calls `embedder`, and `onBadRecord` for each line that is left out. */
  constructor(
    private readonly corpus: Corpus,
    private readonly embedder: () => Promise<RecordEmbedder>,
    /** The settings that change the vectors. */
    private readonly settings: object,
    /** Whether the index must have the words of the passages. */
    private readonly needsWords: boolean,
    private readonly stderr: Output,
    private readonly onBadRecord: (record: BadRecord) => Promise<void>,
  ) {}

  async build(): Promise<CorpusIndex> {
    const { corpus, embedder, stderr } = this;
    const started = performance.now();
    const bar = new ProgressBar(stderr, 'indexing');
    let badLines = 0;
    try {
      const index = await buildIndex(corpus, await embedder(), this.needsWords, {
        onProgress: (bytes) => bar.update(bytes, corpus.bytes),
        onBadRecord: (record) => {
          badLines += 1;
          bar.clear();
          return this.onBadRecord(record);
        },
      });
      bar.clear();
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      await stderr.note(`indexed ${index.size} passages in ${seconds} s`);
      return { index, badLines };
    } finally {
      bar.clear();
    }
  }

  /** The index in the file `path`, rebuilt if it was made from something else. */
  async reuseOrBuild(path: string, model: string): Promise<CorpusIndex> {
    const current = await this.fingerprint(model);
    const saved = await readSavedIndex(path);
    const withoutWords = this.needsWords && !saved?.hasWords ? 'it has no words' : undefined;
    const reason = saved && (difference(saved.fingerprint, current) ?? withoutWords);
    if (saved && reason === undefined) return { index: await saved.open(), badLines: saved.badLines };
    if (reason !== undefined) await this.stderr.note(`${path}: ${reason}; rebuilding it`);
    const built = await this.build();
    await writeIndex(path, built.index, current, built.badLines);
    await this.stderr.note(`${path}: saved, ${(await stat(path)).size} bytes`);
    return built;
  }

  private async fingerprint(model: string): Promise<Fingerprint> {
    const { path, form } = this.corpus;
    return {
      corpus: await sha256OfFile(path),
      model: await fingerprintOfModel(model),
      settings: JSON.stringify({ ...this.settings, lines: form.lines, ...fieldSettings(form) }),
    };
  }
}
