// The story on the page: pieces as they come, in bunches of a frame, and what was likely in place of each.
import type { Token, TokenProbability } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { oncePerFrame } from './frames.js';

/** A piece's probability below these shows as more and more doubt. */
const DOUBTS = [0.75, 0.4, 0.15, 0.04];
const doubt = (logprob: number): string => String(DOUBTS.filter((limit) => Math.exp(logprob) < limit).length);

/** How a piece was chosen. */
export interface Choice {
  logprob: number;
  top: readonly TokenProbability[];
}

export class Sheet {
  readonly #sheet = byId('story', HTMLElement);
  readonly #choices = new WeakMap<Element, Choice>();
  #waiting: Node[] = [];
  readonly #soon = oncePerFrame(() => this.flush());
  /** Elements of the last piece of writing, which may be taken back. */
  #turn: Node[] = [];

  /** A new page with the beginning that the visitor wrote, or with what a saved story has. */
  begin(text: string): void {
    this.#forget();
    this.#sheet.replaceChildren(element('span', { className: 'given' }, text));
  }

  /** What comes from now on is a piece of writing. */
  beginTurn(): void {
    this.#turn = [];
  }

  /** Takes back the last piece of writing. */
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

  /** Shows what still waits for a frame. */
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
