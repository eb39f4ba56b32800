// The worker that holds the texts. It reads, splits, searches and saves them, so the page is never blocked.

import { SearchIndex } from 'quintet';

import { serve } from '../../shared/worker_service.js';
import type { Passage } from '../texts/passage.js';
import { readFiles } from '../texts/read_files.js';
import { Corpus } from './corpus.js';
import type { CorpusInfo, Found, Library, Question } from './protocol.js';
import { forgetStored, readStored, type StoredCorpus, store } from './store.js';

/** The corpus that is searched and, while a new one is being indexed, the one to go back to. */
class TextsLibrary implements Library {
  private current: Corpus | undefined;
  private previous: Corpus | undefined;
  private model = '';
  private bundled = { url: '', model: '' };
  private opening: Promise<unknown> = Promise.resolve();

  open(model: string, bundled: { url: string; model: string }): Promise<{ corpus: CorpusInfo; note?: string }> {
    this.model = model;
    this.bundled = bundled;
    const opened = this.firstCorpus();
    this.opening = opened.catch(() => {});
    return opened;
  }

  async search(question: Question): Promise<Found> {
    await this.opening;
    return (await this.current?.search(question)) ?? { hits: [], searched: 0, milliseconds: 0 };
  }

  async read(files: File[]): Promise<{ corpus: CorpusInfo; notes: string[] }> {
    const { passages, notes } = await readFiles(files, pause);
    this.previous ??= this.current;
    this.current = new Corpus(
      true,
      files.map(({ name }) => name),
      passages,
      undefined,
    );
    return { corpus: this.current.info, notes };
  }

  async next(count: number): Promise<string[]> {
    return this.current?.next(count) ?? [];
  }

  async add(vectors: Float32Array): Promise<CorpusInfo> {
    this.current!.add(vectors);
    return this.current!.info;
  }

  async keep(): Promise<number> {
    // A complete corpus stays, even if it cannot be saved.
    this.previous = undefined;
    const { files } = this.current!;
    const index = await this.current!.save();
    await store({ files, model: this.model, index });
    return index.length;
  }

  async discard(): Promise<CorpusInfo> {
    // Files that could not be read have not replaced a complete corpus.
    const whole = this.current?.isWhole ? this.current : undefined;
    this.current = this.previous ?? whole ?? (await this.bundledCorpus());
    this.previous = undefined;
    return this.current.info;
  }

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
    const index = await SearchIndex.load<Passage>(url);
    return this.model === model
      ? new Corpus(false, [], [], index)
      : new Corpus(false, [], payloadsOf(index), undefined);
  }

  /** Undefined if it cannot be read. */
  private async restored({ files, model, index: bytes }: StoredCorpus): Promise<Corpus | undefined> {
    try {
      const index = await SearchIndex.load<Passage>(bytes);
      if (model === this.model) return new Corpus(true, files, [], index);
      // The passages are still good, their vectors belong to another model.
      return new Corpus(true, files, payloadsOf(index), undefined);
    } catch {
      return undefined;
    }
  }
}

const payloadsOf = (index: SearchIndex<Passage>): Passage[] => index.ids().map((id) => index.get(id)!.payload!);

/** Lets the worker handle waiting messages. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

serve<Library>(new TextsLibrary());
