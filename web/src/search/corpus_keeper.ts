import type { Embedder } from 'quintet';

import { bytes, counted, milliseconds } from '../shared/numbers.js';
import type { CorpusInfo } from './corpus.js';
import { CorpusPanel, namesOf } from './corpus_panel.js';
import { forgetIndexing, interruptedIndexing, rememberIndexing } from './interrupted.js';
import type { Library } from './library.js';
import type { SearchPanel } from './search_panel.js';

/** The interval at which results are refreshed while texts are being indexed. */
const refreshMilliseconds = 600;

/** Indexes the visitor's texts: one job at a time, a new one cancels the one before. */
export class CorpusKeeper {
  private readonly panel: CorpusPanel;
  private job: { controller: AbortController; ended: Promise<void> } | undefined;

  constructor(
    private readonly library: Library,
    private readonly model: () => Promise<Embedder>,
    private readonly search: SearchPanel,
  ) {
    this.panel = new CorpusPanel({
      onFiles: (files) => this.begin((signal) => this.takeIn(files, signal)),
      onStop: () => this.job?.controller.abort(),
      onForget: () => this.begin(() => this.forget()),
    });
  }

  async open(modelName: string): Promise<void> {
    const interrupted = interruptedIndexing();
    try {
      const { corpus, note } = await this.library.open(modelName);
      this.nowSearching(corpus);
      if (note) this.panel.say('warn', note);
      else if (interrupted) {
        this.panel.say(
          'warn',
          `The page was closed while indexing ${interrupted}. Nothing was saved. Choose the files again.`,
        );
      }
      // Texts that were indexed with another model are indexed again, including the bundled ones.
      if (corpus.indexed < corpus.passages) this.begin((signal) => this.index(corpus, signal));
    } catch (error) {
      this.panel.problem('The texts could not be loaded', error);
    }
  }

  private begin(work: (signal: AbortSignal) => Promise<void>): void {
    const before = this.job;
    before?.controller.abort();
    const controller = new AbortController();
    const run = async () => {
      await before?.ended;
      await work(controller.signal);
    };
    const ended: Promise<void> = run()
      .catch((error: unknown) => this.undo(error, controller.signal))
      .finally(() => this.panel.finished());
    this.job = { controller, ended };
  }

  private async takeIn(files: File[], signal: AbortSignal): Promise<void> {
    this.panel.reading();
    rememberIndexing(namesOf(files.map(({ name }) => name)));
    const { corpus, notes } = await this.library.read(files);
    signal.throwIfAborted();
    await this.index(corpus, signal, notes);
  }

  private async index(corpus: CorpusInfo, signal: AbortSignal, notes: string[] = []): Promise<void> {
    this.search.showExamples(false);
    this.panel.show(corpus);
    this.panel.reading();
    this.panel.indexing(corpus, undefined);
    const model = await this.model();
    const begin = performance.now();
    let refreshed = begin;
    await this.library.index(model, {
      signal,
      onProgress: (done) => {
        const now = performance.now();
        this.panel.indexing(done, ((now - begin) * (done.passages - done.indexed)) / done.indexed);
        if (now - refreshed < refreshMilliseconds) return;
        refreshed = now;
        this.search.refresh();
      },
    });
    const took = `${counted(corpus.passages, 'passage')} indexed in ${milliseconds(performance.now() - begin)}`;
    this.nowSearching({ ...corpus, indexed: corpus.passages });
    if (corpus.own) await this.keep(took, notes);
    else this.panel.say('good', `${took}.`);
  }

  private async keep(took: string, notes: string[]): Promise<void> {
    try {
      const kept = await this.library.keep();
      this.panel.say('good', `${took} and saved in this browser (${bytes(kept)}).`, ...notes);
    } catch (error) {
      const why =
        error instanceof DOMException ? 'the browser does not let this site store data' : (error as Error).message;
      this.panel.say('warn', `${took}. They could not be saved for your next visit: ${why}.`, ...notes);
    } finally {
      forgetIndexing();
    }
  }

  private async forget(): Promise<void> {
    this.nowSearching(await this.library.forget());
    this.panel.say('good', 'Your texts were deleted from this browser.');
  }

  /** Goes back to the previous texts after a failure or a stop. */
  private async undo(error: unknown, signal: AbortSignal): Promise<void> {
    forgetIndexing();
    if (signal.aborted) this.panel.say('warn', 'Stopped. Nothing was saved.');
    else this.panel.problem('These files could not be indexed', error);
    this.nowSearching(await this.library.discard());
  }

  private nowSearching(corpus: CorpusInfo): void {
    this.panel.show(corpus);
    this.search.showExamples(!corpus.own);
    this.search.again();
  }
}
