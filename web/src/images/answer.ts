// The classes of a picture: as bars, and as a sentence for screen readers.
import type { Classification } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { counted, milliseconds, percent } from '../shared/numbers.js';

/** Milliseconds between two announcements of the camera's result. */
const PAUSE = 3000;
/** The number of pictures over which the camera's rate is measured. */
const RECENT = 10;

export class Answer {
  readonly #list = byId('answer', HTMLOListElement);
  readonly #speed = byId('speed', HTMLElement);
  readonly #spoken = byId('spoken', HTMLElement);
  #lastSaid = { label: '', at: -Infinity };
  #shownAt: number[] = [];

  /** The classes of one picture. */
  show(classes: Classification[], time: number): void {
    this.#fill(classes);
    this.#shownAt = [];
    this.#speed.replaceChildren(element('span', {}, `${milliseconds(time)}, including decoding`));
    this.#say(classes[0]!);
  }

  /** The classes of the camera's next picture. */
  showLive(classes: Classification[], time: number): void {
    this.#fill(classes);
    const now = performance.now();
    this.#shownAt = [...this.#shownAt, now].slice(-RECENT);
    const rate = (1000 * (this.#shownAt.length - 1)) / (now - this.#shownAt[0]!);
    const parts = [
      `${milliseconds(time)} per picture`,
      ...(rate > 0 ? [`${counted(Math.round(rate), 'picture')} per second`] : []),
    ];
    this.#speed.replaceChildren(...parts.map((part) => element('span', {}, part)));
    if (classes[0]!.label !== this.#lastSaid.label && now - this.#lastSaid.at > PAUSE) this.#say(classes[0]!);
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#speed.replaceChildren();
    this.#spoken.replaceChildren();
  }

  #fill(classes: Classification[]): void {
    while (this.#list.childElementCount > classes.length) this.#list.lastElementChild!.remove();
    while (this.#list.childElementCount < classes.length) this.#list.append(row());
    classes.forEach(({ label, score }, i) => {
      const [name, share, meter] = this.#list.children[i]!.children as unknown as [
        HTMLElement,
        HTMLElement,
        HTMLElement,
      ];
      name.textContent = label;
      share.textContent = percent(score);
      meter.style.setProperty('--value', String(score));
    });
  }

  #say({ label, score }: Classification): void {
    this.#lastSaid = { label, at: performance.now() };
    this.#spoken.replaceChildren(element('p', {}, `${label}, ${percent(score)}`));
  }
}

const row = (): HTMLElement =>
  element(
    'li',
    {},
    element('span', { className: 'name' }),
    element('span', { className: 'share' }),
    element('span', { className: 'meter' }),
  );
