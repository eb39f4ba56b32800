import type { ImageEmbedder } from 'quintet';

import { byId } from '../shared/dom.js';
import { Latest } from '../shared/latest.js';
import { count, counted } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { Grid } from './grid.js';
import type { Collection, Library, Shown } from './library/protocol.js';
import { type Likeness, LikenessBox } from './likeness.js';
import { knowsWords, mixed } from './photo_search.js';

const pageSize = 60;
/** Milliseconds after a key in which another may follow. */
const typingPause = 120;
/** Milliseconds between two looks at the collection while it grows. */
const refreshPause = 1000;

interface Question {
  words: string;
  like: Likeness | undefined;
  /** Weight of the words, 0 to 1. */
  weight: number;
  count: number;
}

/** Words and a picture, and the pictures that fit them, best first. */
export class SearchPanel {
  private readonly words = byId('words', HTMLInputElement);
  private readonly hint = byId('words-hint', HTMLElement);
  private readonly weighing = byId('weighing', HTMLElement);
  private readonly weight = byId('weight', HTMLInputElement);
  private readonly found = byId('found', HTMLElement);
  private readonly problem = byId('problem', HTMLElement);
  private readonly more = byId('more', HTMLButtonElement);
  private readonly grid = new Grid(byId('photos', HTMLOListElement), (picture) => this.like(picture));
  private readonly likeness: LikenessBox;
  private readonly questions = new Latest<Question>(
    (question) => this.answer(question),
    (error) => showProblem(this.problem, 'The search failed', error, { again: () => this.again() }),
  );
  private collection: Collection = { pictures: 0, indexed: 0 };
  private count = pageSize;
  private embedded: { model: ImageEmbedder; words: string; vector: Float32Array } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private refreshed = 0;

  constructor(
    private readonly library: Library,
    private readonly model: () => ImageEmbedder | undefined,
  ) {
    this.likeness = new LikenessBox(library, model, () => this.begin());
    this.words.oninput = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.begin(), typingPause);
    };
    this.words.onkeydown = (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.grid.focusFirst();
    };
    this.weight.oninput = () => this.begin();
    this.more.onclick = () => {
      this.count += pageSize;
      this.again();
    };
    byId('form', HTMLFormElement).onsubmit = (event) => {
      event.preventDefault();
      this.begin();
    };
  }

  /** Shows more pictures like this one. */
  like(picture: Shown): void {
    this.likeness.pick(picture);
    byId('form', HTMLFormElement).scrollIntoView({ block: 'nearest' });
  }

  forget(): void {
    this.likeness.drop();
    this.begin();
  }

  /** `obstacle`: why there is no model. */
  modelChanged(obstacle?: string): void {
    const model = this.model();
    const hasWords = model !== undefined && knowsWords(model);
    this.words.disabled = !hasWords;
    this.hint.textContent = hasWords
      ? 'Pictures appear as you type. With a picture chosen, both count.'
      : (obstacle ?? 'This model does not understand words. Choose one that does, such as CLIP, under "Model".');
    this.again();
  }

  /** Pictures do not move while somebody is at one of them. */
  collectionChanged(collection: Collection, isOver: boolean): void {
    this.collection = collection;
    const now = performance.now();
    if (!isOver && (now - this.refreshed < refreshPause || this.grid.hasFocus)) return;
    this.refreshed = now;
    this.again();
  }

  again(): void {
    const words = this.words.disabled ? '' : this.words.value.trim();
    const { current: like } = this.likeness;
    this.weighing.hidden = !like || words === '';
    this.questions.ask({ words, like, weight: Number(this.weight.value) / 100, count: this.count });
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.count = pageSize;
    this.again();
  }

  private async answer({ words, like, weight, count: most }: Question): Promise<() => void> {
    const ofWords = words === '' ? undefined : await this.vectorOfWords(words);
    const ofPicture = await like?.vector();
    const target = ofWords && ofPicture ? mixed(ofWords, ofPicture, weight) : (ofWords ?? ofPicture);
    const pictures = target ? await this.library.search(target, most, like?.id) : await this.library.newest(most);
    const by = [...(ofWords ? ['words'] : []), ...(ofPicture ? ['picture'] : [])].join(' and ');
    return () => {
      this.problem.replaceChildren();
      this.grid.show(pictures);
      this.more.hidden = pictures.length < most;
      this.found.textContent = this.summary(pictures.length, by);
    };
  }

  private async vectorOfWords(words: string): Promise<Float32Array | undefined> {
    const model = this.model();
    if (!model || !knowsWords(model)) return undefined;
    if (this.embedded?.model !== model || this.embedded.words !== words) {
      this.embedded = { model, words, vector: await model.embedText(words) };
    }
    return this.embedded.vector;
  }

  private summary(shown: number, by: string): string {
    const { pictures, indexed } = this.collection;
    if (pictures === 0) return 'There are no pictures yet. Choose a folder or files.';
    if (by)
      return `The best ${count(shown)} of ${counted(indexed, 'picture')}, by ${by}. Scores are cosine similarities.`;
    return `${counted(pictures, 'picture')}, the newest first.`;
  }
}
