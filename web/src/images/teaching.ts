// The card for classes of the visitor's own.
import type { Classification, ImageClassifier, ImageInput } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import type { OwnClasses } from './own_classes.js';

/** The number of camera pictures taken at once, and the milliseconds between them: time to turn the object. */
const SHOTS = 10;
const PAUSE = 250;

interface Page {
  model(): ImageClassifier | undefined;
  /** The camera, which is switched on if it is not. */
  camera(): Promise<HTMLVideoElement | undefined>;
  /** Answers have changed. */
  onChange(): void;
}

export class Teaching {
  readonly #name = byId('own-name', HTMLInputElement);
  readonly #shoot = byId('shoot', HTMLButtonElement);
  readonly #use = byId('use-own', HTMLInputElement);
  readonly #list = byId('own-classes', HTMLElement);
  readonly #told = byId('teaching-told', HTMLElement);
  readonly #problem = byId('teaching-problem', HTMLElement);
  readonly #forget = byId('forget', HTMLButtonElement);
  #own: OwnClasses | undefined;

  constructor(private readonly page: Page) {
    byId('teaching', HTMLFormElement).onsubmit = (event) => {
      event.preventDefault();
      void this.#teach(() => this.#takeShots());
    };
    const pictures = byId('own-pictures', HTMLInputElement);
    pictures.onchange = () => {
      const files = [...(pictures.files ?? [])];
      pictures.value = '';
      void this.#teach(async () => files);
    };
    this.#forget.onclick = () => {
      this.forget();
      page.onChange();
    };
    this.#use.onchange = () => page.onChange();
  }

  /** Whether pictures are answered with these classes. */
  get isUsed(): boolean {
    return this.#use.checked && this.#own !== undefined;
  }

  classify(model: ImageClassifier, image: ImageInput): Promise<Classification[]> {
    return this.#own!.classify(model, image);
  }

  /** For another network, too, to which the vectors of this one mean nothing. */
  forget(): void {
    this.#own = undefined;
    this.#show();
  }

  async #teach(examples: () => Promise<ImageInput[]>): Promise<void> {
    const [label, model] = [this.#name.value.trim(), this.page.model()];
    this.#problem.replaceChildren();
    if (!label || !model) return this.#name.focus();
    this.#shoot.disabled = true;
    try {
      const images = await examples();
      // Only who teaches downloads the index.
      const own = (this.#own ??= new (await import('./own_classes.js')).OwnClasses());
      for (const image of images) await own.add(model, label, image);
      if (images.length > 0) this.#name.value = '';
    } catch (error) {
      showProblem(this.#problem, 'This could not be learned', error);
    }
    if (this.#own?.examples.size === 0) this.#own = undefined;
    this.#show();
    this.page.onChange();
  }

  async #takeShots(): Promise<ImageInput[]> {
    const video = await this.page.camera();
    const shots: ImageInput[] = [];
    while (video && shots.length < SHOTS) {
      shots.push(await createImageBitmap(video));
      this.#told.textContent = `Picture ${shots.length} of ${SHOTS}`;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return shots;
  }

  #show(): void {
    const classes = [...(this.#own?.examples ?? [])];
    this.#list.replaceChildren(
      ...classes.map(([label, count]) => element('li', {}, `${label}: ${counted(count, 'picture')}`)),
    );
    const enough = classes.length > 1;
    // The second class makes it a choice.
    if (enough && this.#use.disabled) this.#use.checked = true;
    if (!enough) this.#use.checked = false;
    this.#use.disabled = !enough;
    this.#forget.hidden = classes.length === 0;
    this.#told.textContent = classes.length === 1 ? 'Now teach it a second class.' : '';
    this.#shoot.disabled = false;
  }
}
