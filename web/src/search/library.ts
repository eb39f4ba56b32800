import { type Embedder, SearchIndex } from 'quintet';

import type { Passage } from '../texts/passage.js';
import { readFiles } from '../texts/read_files.js';
import { Corpus, type CorpusInfo, type Found, type Indexing, type Question } from './corpus.js';
import { forgetStored, readStored, type StoredCorpus, store } from './store.js';

/** The corpus that is searched and, while a new one is being indexed, the one to go back to. */
export class Library {
  private current: Corpus | undefined;
  private previous: Corpus | undefined;
  /** The name of the embedder. */
  private model = '';
  private opening: Promise<unknown> = Promise.resolve();

  /** `bundled`: the URL of an index and the name of the embedder that made it. */
  constructor(private readonly bundled: { url: string; model: string }) {}

  /** Opens the visitor's own corpus or, if there is none, the bundled one. */
  open(model: string): Promise<{ corpus: CorpusInfo; note?: string }> {
    this.model = model;
    const opened = this.firstCorpus();
    this.opening = opened.catch(() => {});
    return opened;
  }

  async search(question: Question): Promise<Found> {
    await this.opening;
    return (await this.current?.search(question)) ?? { hits: [], searched: 0, milliseconds: 0 };
  }

  /** Reads files into a new corpus, which is searched from now on. The old one stays until the new one is saved. */
  async read(files: File[]): Promise<{ corpus: CorpusInfo; notes: string[] }> {
    const { passages, notes } = await readFiles(files);
    const names = files.map(({ name }) => name);
    this.previous ??= this.current;
    this.current = new Corpus(true, names, passages);
    return { corpus: this.current.info, notes };
  }

  /** Indexes passages that have no vector yet. */
  index(model: Embedder, indexing: Indexing): Promise<void> {
    return this.current!.fill(model, indexing);
  }

  /** Saves the new corpus for later visits and returns its size in bytes. */
  async keep(): Promise<number> {
    // A complete corpus stays, even if it cannot be saved.
    this.previous = undefined;
    const { files } = this.current!;
    const index = await this.current!.save();
    await store({ files, model: this.model, index });
    return index.length;
  }

  /** Drops the new corpus and goes back to the one before. */
  async discard(): Promise<CorpusInfo> {
    // Files that could not be read have not replaced a complete corpus.
    const whole = this.current?.isWhole ? this.current : undefined;
    this.current = this.previous ?? whole ?? (await this.bundledCorpus());
    this.previous = undefined;
    return this.current.info;
  }

  /** Deletes the visitor's texts and goes back to the bundled ones. */
  async forget(): Promise<CorpusInfo> {
    await forgetStored();
    this.previous = undefined;
    this.current = await this.bundledCorpus();
    return this.current.info;
  }

  private async firstCorpus(): Promise<{ corpus: CorpusInfo; note?: string }> {
    const stored = await readStored();
    const restored = stored && (await this.restored(stored));
    this.current = restored ?? (await this.bundledCorpus());
    const note =
      stored && !restored ? 'Your saved texts can no longer be read. Please choose the files again.' : undefined;
    return { corpus: this.current.info, ...(note ? { note } : {}) };
  }

  private async bundledCorpus(): Promise<Corpus> {
    const { url, model } = this.bundled;
    return this.corpusOf(await SearchIndex.load<Passage>(url), model, false, []);
  }

  /** Undefined if it cannot be read. */
  private async restored({ files, model, index }: StoredCorpus): Promise<Corpus | undefined> {
    try {
      return this.corpusOf(await SearchIndex.load<Passage>(index), model, true, files);
    } catch {
      return undefined;
    }
  }

  /** Passages with vectors of another model are indexed again. */
  private corpusOf(index: SearchIndex<Passage>, model: string, own: boolean, files: string[]): Corpus {
    if (model === this.model) return new Corpus(own, files, [], index);
    const passages = index.ids().map((id) => index.get(id)!.payload!);
    return new Corpus(own, files, passages);
  }
}
