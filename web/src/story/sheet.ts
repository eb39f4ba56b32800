// The story on the page. Tokens are added once per frame, each with the alternatives that it had.
import type { Token, TokenProbability } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { oncePerFrame } from '../shared/frames.js';

/** A token is marked more strongly with each of these probabilities that it is below. */
const DOUBTS = [0.75, 0.4, 0.15, 0.04];
const doubt = (logprob: number): string => String(DOUBTS.filter((limit) => Math.exp(logprob) < limit).length);

/** How a token was chosen. */
export interface Choice {
  logprob: number;
  top: readonly TokenProbability[];
}

export class Sheet {
  readonly #sheet = byId('story', HTMLElement);
  readonly #choices = new WeakMap<Element, Choice>();
  #waiting: Node[] = [];
  readonly #soon = oncePerFrame(() => this.flush());
  /** The elements of the last generation, which can be taken back. */
  #turn: Node[] = [];

  /** Starts a new story with the visitor's prompt or the text of a saved story. */
  begin(text: string): void {
    this.#forget();
    this.#sheet.replaceChildren(element('span', { className: 'given' }, text));
  }

  /** The tokens from now on belong to a new generation. */
  beginTurn(): void {
    this.#turn = [];
  }

  /** Removes the last generation. */
  takeBack(): void {
    for (const node of this.#turn) node.parentNode?.removeChild(node);
    this.#forget();
  }

  add({ text, logprob, top }: Token): void {
    if (text === '') return;
    const piece = element('span', { className: 'piece' }, text);
    if (logprob !== undefined) {
      piece.dataset['doubt'] = doubt(logprob);
      this.#choices.set(piece, { logprob, top: top ?? [] });
    }
    this.#turn.push(piece);
    this.#waiting.push(piece);
    // A model may be faster than the screen.
    this.#soon();
  }

  /** Shows the tokens that wait for the next frame. */
  flush(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#sheet;
    const atEnd = scrollHeight - scrollTop - clientHeight < 40;
    this.#sheet.append(...this.#waiting.splice(0));
    if (atEnd) this.#sheet.scrollTop = this.#sheet.scrollHeight;
  }

  get text(): string {
    return this.#sheet.textContent;
  }

  choiceOf(piece: Element): Choice | undefined {
    return this.#choices.get(piece);
  }

  #forget(): void {
    this.#waiting = [];
    this.#turn = [];
  }
}
