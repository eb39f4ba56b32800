import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { count, counted, milliseconds } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import type { CorpusInfo } from './corpus.js';

interface Actions {
  onFiles(files: File[]): void;
  onStop(): void;
  onForget(): void;
}

/** Shows which texts are searched, and lets the visitor change them. */
export class CorpusPanel {
  private readonly text = byId('corpus', HTMLElement);
  private readonly said = byId('said', HTMLElement);
  private readonly stop = byId('stop', HTMLButtonElement);
  private readonly forget = byId('forget', HTMLButtonElement);
  private readonly progress = new ProgressBar(byId('indexing', HTMLElement));

  constructor({ onFiles, onStop, onForget }: Actions) {
    dropArea(byId('drop', HTMLLabelElement), onFiles, document.documentElement);
    this.stop.addEventListener('click', onStop);
    this.forget.addEventListener('click', onForget);
  }

  show(corpus: CorpusInfo): void {
    this.forget.hidden = !corpus.own;
    const passages = element('strong', {}, counted(corpus.passages, 'passage'));
    if (corpus.own) {
      this.text.replaceChildren(passages, ` from ${namesOf(corpus.files)}. They stay in this browser.`);
      return;
    }
    const license = element('a', { href: 'https://creativecommons.org/licenses/by/4.0/' }, 'CC BY 4.0');
    const base = import.meta.env.BASE_URL;
    const book = element('a', { href: `${base}book/` }, 'Astronomy 2e');
    const sources = element('a', { href: `${base}attribution.txt` }, 'Sources');
    this.text.replaceChildren(
      passages,
      ' of the textbook ',
      book,
      ' (OpenStax, ',
      license,
      '). ',
      sources,
      '. You can also search your own texts:',
    );
  }

  reading(): void {
    this.said.replaceChildren();
    this.stop.hidden = false;
    this.forget.hidden = true;
    this.progress.show('Reading files', 0, undefined, '');
  }

  indexing({ files, passages, indexed }: CorpusInfo, millisecondsLeft: number | undefined): void {
    const left =
      millisecondsLeft === undefined ? '' : `, ${milliseconds(1000 * Math.ceil(millisecondsLeft / 1000))} left`;
    this.progress.show(
      `Indexing ${namesOf(files)}`,
      indexed,
      passages,
      `${count(indexed)} of ${count(passages)}${left}`,
    );
  }

  finished(): void {
    this.progress.hide();
    this.stop.hidden = true;
  }

  say(kind: 'good' | 'warn', ...sentences: string[]): void {
    this.said.replaceChildren(
      element('div', { className: `notice ${kind}` }, ...sentences.map((sentence) => element('p', {}, sentence))),
    );
  }

  problem(what: string, error: unknown): void {
    showProblem(this.said, what, error);
  }
}

export const namesOf = ([first, ...others]: string[]): string =>
  others.length === 0 ? (first ?? '') : `${first} and ${counted(others.length, 'more file')}`;
