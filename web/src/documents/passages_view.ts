import type { SearchHit } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { oncePerFrame } from '../shared/frames.js';
import type { Passage } from './cited_answers.js';

/** An answer and the passages that it is from. A citation opens its passage. */
export class PassagesView {
  private readonly answer = byId('answer', HTMLElement);
  private readonly passages = byId('passages', HTMLOListElement);
  private text = '';
  private readonly soon = oncePerFrame(() => this.answer.replaceChildren(...this.withCitations()));

  showPassages(hits: readonly SearchHit<Passage>[]): void {
    this.text = '';
    this.answer.replaceChildren();
    this.passages.replaceChildren(...hits.map(({ payload }, i) => passageOf(payload!, i + 1)));
  }

  add(text: string): void {
    this.text += text;
    this.soon();
  }

  clear(): void {
    this.showPassages([]);
  }

  private withCitations(): (string | HTMLElement)[] {
    return this.text.split(/(\[\d\])/).map((part) => {
      const number = /^\[(\d)\]$/.exec(part)?.[1];
      const passage = number && document.getElementById(`passage-${number}`);
      return number && passage instanceof HTMLDetailsElement ? citationOf(number, passage) : part;
    });
  }
}

function citationOf(number: string, passage: HTMLDetailsElement): HTMLElement {
  const link = element(
    'a',
    { href: `#${passage.id}`, className: 'cite', ariaLabel: `Passage ${number}` },
    `[${number}]`,
  );
  link.onclick = (event) => {
    event.preventDefault();
    passage.open = true;
    passage.scrollIntoView({ block: 'nearest' });
    passage.querySelector('summary')!.focus();
  };
  return link;
}

function passageOf({ title, text, source }: Passage, number: number): HTMLElement {
  const summary = element(
    'summary',
    {},
    element('strong', {}, `[${number}] ${title}`),
    ' ',
    element('small', {}, source),
  );
  const details = element('details', { className: 'card', id: `passage-${number}` }, summary, element('p', {}, text));
  return element('li', {}, details);
}
