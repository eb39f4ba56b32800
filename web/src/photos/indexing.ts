// The pictures of this visit become vectors, one after another, until all have one or the visitor stops.

import type { ImageEmbedder } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { oncePerFrame } from '../shared/frames.js';
import { counted, milliseconds } from '../shared/numbers.js';
import { sentenceOf } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { SingleTask } from '../shared/single_task.js';
import { embedded } from './embedding.js';
import type { Collection, Library, Picture } from './library/protocol.js';
import { paceWords } from './pace.js';
import type { FoundPictures, PictureFile } from './picture_files.js';

type Find = (onFound: (count: number) => void, signal: AbortSignal) => Promise<FoundPictures>;

const withoutFile = ({ id, path, size, modified }: PictureFile): Picture => ({ id, path, size, modified });

export class Indexing {
  private readonly stopButton = byId('stop', HTMLButtonElement);
  private readonly goOn = byId('go-on', HTMLButtonElement);
  private readonly told = byId('indexing-told', HTMLElement);
  private readonly broken = byId('broken', HTMLDetailsElement);
  private readonly progress = new ProgressBar(byId('indexing', HTMLElement));
  private readonly task = new SingleTask(byId('indexing-problem', HTMLElement), () => this.showState());
  private readonly pictures = new Map<string, PictureFile>();
  /** Ids of files that are not pictures for any model. */
  private readonly skipped = new Set<string>();
  private remaining = 0;

  constructor(
    private readonly library: Library,
    private readonly model: () => ImageEmbedder | undefined,
    /** `isOver`: nothing more is added for now. */
    private readonly onChange: (collection: Collection, isOver: boolean) => void,
  ) {
    this.stopButton.onclick = () => this.task.stop();
    this.goOn.onclick = () => this.again();
  }

  /** Adds pictures, and removes those that are no longer in their folder. */
  take(find: Find): void {
    void this.task.run('The pictures could not be read', async (signal) => {
      let count = 0;
      const show = oncePerFrame(() => {
        if (!signal.aborted) this.progress.show('Reading the folder', 0, undefined, counted(count, 'picture'));
      });
      const found = await find((now) => {
        count = now;
        show();
      }, signal);
      signal.throwIfAborted();
      for (const picture of found.pictures) this.pictures.set(picture.id, picture);
      if (found.folder !== undefined) {
        const ids = found.pictures.map(({ id }) => id);
        this.onChange(await this.library.keepOnly(found.folder, ids), true);
      }
      await this.embed(signal);
    });
  }

  /** Continues with those that have no vector of the model in use. */
  again(): void {
    if (this.pictures.size === 0) return;
    void this.task.run('The pictures could not be indexed', (signal) => this.embed(signal));
  }

  /** Resolves when nothing more is added. */
  halt(): Promise<void> {
    return this.task.run('', async () => {});
  }

  forget(): void {
    this.pictures.clear();
    this.skipped.clear();
    this.remaining = 0;
    this.told.textContent = '';
    this.broken.querySelector('ul')!.replaceChildren();
    this.showState();
  }

  private async embed(signal: AbortSignal): Promise<void> {
    const model = this.model();
    if (!model) return void (this.told.textContent = 'The pictures wait for a model.');
    const missing = await this.missing();
    signal.throwIfAborted();
    this.remaining = missing.length;
    const total = missing.length;
    const begin = performance.now();
    const before = this.skipped.size;
    let adding: Promise<Collection> | undefined;
    const add = async (picture: PictureFile, vector: Float32Array) => {
      const collection = await this.library.add(withoutFile(picture), picture.file, vector);
      this.onChange(collection, false);
      return collection;
    };
    const show = () => {
      const done = total - this.remaining;
      this.progress.show('Indexing', done, total, paceWords(done, total, performance.now() - begin));
    };
    try {
      if (total > 0) show();
      for await (const result of embedded(model, missing, signal)) {
        if ('error' in result) this.skip(result.picture, result.error);
        else {
          // The worker makes a thumbnail of one picture while the next is embedded.
          await adding;
          adding = add(result.picture, result.vector);
          adding.catch(() => {});
        }
        this.remaining -= 1;
        show();
      }
    } finally {
      const last = await adding;
      if (last) this.onChange(last, true);
      this.tell(total, this.skipped.size - before, performance.now() - begin, signal.aborted);
    }
  }

  private async missing(): Promise<PictureFile[]> {
    const pictures = [...this.pictures.values()].filter(({ id }) => !this.skipped.has(id));
    const ids = new Set(await this.library.missing(pictures.map(withoutFile)));
    return pictures.filter(({ id }) => ids.has(id));
  }

  private skip(picture: PictureFile, error: unknown): void {
    this.skipped.add(picture.id);
    this.broken.hidden = false;
    const list = this.broken.querySelector('ul')!;
    list.append(element('li', {}, `${picture.path}: ${sentenceOf(error)}`));
    const count = this.skipped.size;
    this.broken.querySelector('summary')!.textContent =
      `${counted(count, 'file')} ${count === 1 ? 'was' : 'were'} skipped`;
  }

  private tell(total: number, skipped: number, time: number, isStopped: boolean): void {
    const done = total - this.remaining;
    const left = skipped === 0 ? '' : ` ${counted(skipped, 'file')} could not be read.`;
    if (isStopped) this.told.textContent = `Stopped after ${done} of ${counted(total, 'picture')}.`;
    else if (total === 0) this.told.textContent = 'Nothing is new: all these pictures are indexed.';
    else if (this.remaining > 0) this.told.textContent = '';
    else this.told.textContent = `${counted(total - skipped, 'picture')} indexed in ${milliseconds(time)}.${left}`;
  }

  private showState(): void {
    const { isRunning } = this.task;
    if (isRunning) this.told.textContent = '';
    else this.progress.hide();
    this.stopButton.hidden = !isRunning;
    this.goOn.hidden = isRunning || this.remaining === 0;
    this.broken.hidden = this.skipped.size === 0;
  }
}
