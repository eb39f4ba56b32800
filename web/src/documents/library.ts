// The visitor's files, as passages in an index. Nothing is kept when the page is closed.

import { Embedder, type SearchHit, type SearchIndex } from 'quintet';
import { embedder as bundled } from 'quintet-models';
import { hub } from '../models/hub.js';
import { byId, element } from '../shared/dom.js';
import { count, counted, milliseconds } from '../shared/numbers.js';
import { ProgressBar } from '../shared/progress.js';
import { readFiles } from '../texts/read_files.js';
import { newIndex, type Passage } from './cited_answers.js';
import type { RerankerPanel } from './reranker_panel.js';

/** The number of passages from which an answer is written. */
const most = 4;

export class Library {
  private readonly list = byId('files-list', HTMLUListElement);
  private readonly said = byId('said', HTMLElement);
  private embedder: Promise<Embedder> | undefined;
  private index: SearchIndex<Passage> | undefined;

  constructor(private readonly reranker: RerankerPanel) {}

  get isEmpty(): boolean {
    return !this.index?.size;
  }

  /** Reads and indexes files. Passages that were indexed before `signal` stay. */
  async add(files: readonly File[], signal: AbortSignal): Promise<void> {
    const { passages, notes } = await readFiles(files);
    const index = (this.index ??= newIndex(await this.model(), this.reranker));
    const progress = new ProgressBar(byId('loading', HTMLElement));
    const begin = performance.now();
    const first = index.size;
    try {
      await index.addTexts(
        passages.map((payload, i) => ({ id: first + i, text: textOf(payload), payload })),
        {
          signal,
          onProgress: (done, total) => progress.show('Indexing', done, total, `${count(done)} of ${count(total)}`),
        },
      );
    } finally {
      progress.hide();
    }
    this.list.append(...files.map(({ name }) => element('li', {}, name)));
    const took = `${counted(index.size, 'passage')}; the last ${count(passages.length)} in ${milliseconds(performance.now() - begin)}.`;
    this.said.textContent = [took, ...notes].join(' ');
  }

  /** The passages that answer best, best first. */
  search(question: string, signal: AbortSignal): Promise<SearchHit<Passage>[]> {
    return this.index!.search(question, { k: most, rerank: this.reranker.isOn, signal });
  }

  clear(): void {
    this.index = undefined;
    this.list.replaceChildren();
    this.said.textContent = 'The files are forgotten.';
  }

  private model(): Promise<Embedder> {
    const progress = new ProgressBar(byId('loading', HTMLElement));
    this.embedder ??= Embedder.load(bundled, { ...hub, onProgress: (step) => progress.load('the embedder', step) });
    // The next files try again.
    this.embedder.catch(() => (this.embedder = undefined));
    return this.embedder.finally(() => progress.hide());
  }
}

const textOf = ({ title, text }: Passage): string => `${title}. ${text}`;
