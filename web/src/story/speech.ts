// The story for screen readers: whole sentences, at a pace that leaves time to speak them.
import { byId, element } from '../shared/dom.js';

const PAUSE = 2500;
const SENTENCE_END = /[.!?]["')]?\s/g;

export class Speech {
  readonly #region = byId('spoken', HTMLElement);
  #pending = '';
  #spokenAt = -Infinity;

  begin(): void {
    this.#pending = '';
    this.#region.replaceChildren();
  }

  add(text: string): void {
    this.#pending += text;
    if (performance.now() - this.#spokenAt < PAUSE) return;
    const end = [...this.#pending.matchAll(SENTENCE_END)].at(-1);
    if (end) this.#say(end.index + end[0].length);
  }

  /** The rest, and a closing remark for screen readers only. */
  end(word: string): void {
    this.#pending += ` ${word}`;
    this.#say(this.#pending.length);
  }

  #say(length: number): void {
    this.#region.append(element('p', {}, this.#pending.slice(0, length)));
    this.#pending = this.#pending.slice(length);
    this.#spokenAt = performance.now();
  }
}
