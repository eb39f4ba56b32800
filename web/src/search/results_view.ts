import { element } from '../shared/dom.js';
import { ordinal } from '../shared/numbers.js';
import { withCommonWords } from './common_words.js';
import type { Hit } from './corpus.js';
import { type ScoreKind, type ScoreRange, scoreKinds } from './score_kinds.js';

export interface Result extends Hit {
  /** Its place before reranking, from 1. */
  before?: number;
}

/** The list of results. The Tab key reaches one of them, the arrow keys move on from there. */
export class ResultsView {
  /** `leave` is called when the keys lead out of the list. */
  constructor(
    private readonly list: HTMLOListElement,
    private readonly leave: () => void,
  ) {
    list.addEventListener('keydown', (event) => this.onKey(event));
  }

  get hasFocus(): boolean {
    return this.list.contains(document.activeElement);
  }

  show(results: readonly Result[], question: string, scores: ScoreKind): void {
    const range = { best: results[0]?.score ?? 0, least: results.at(-1)?.score ?? 0 };
    this.list.replaceChildren(...results.map((result, i) => itemOf(result, question, i, scores, range)));
  }

  focusFirst(): void {
    this.focus(0);
  }

  private onKey(event: KeyboardEvent): void {
    const items = [...this.list.children];
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const targets: Partial<Record<string, number>> = {
      ArrowDown: Math.min(at + 1, items.length - 1),
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
      Escape: -1,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (target < 0) this.leave();
    else this.focus(target);
  }

  private focus(index: number): void {
    [...this.list.children].forEach((item, i) => {
      (item as HTMLElement).tabIndex = i === index ? 0 : -1;
      if (i === index) (item as HTMLElement).focus();
    });
  }
}

function itemOf(
  { id, title, text, source, page, score, before }: Result,
  question: string,
  index: number,
  scores: ScoreKind,
  range: ScoreRange,
): HTMLLIElement {
  const { digits, share } = scoreKinds[scores];
  const meter = element('span', { className: 'meter', ariaHidden: 'true' });
  meter.style.setProperty('--value', String(Math.max(0, Math.min(1, share(score, range)))));
  const item = element(
    'li',
    { className: 'result card', tabIndex: index === 0 ? 0 : -1 },
    element('h3', {}, page ? element('a', { href: import.meta.env.BASE_URL + page }, title) : title || source),
    element('div', { className: 'score' }, score.toFixed(digits), meter),
    element('p', { className: 'passage' }, ...withCommonWords(text, question)),
  );
  if (title) item.append(element('p', { className: 'source' }, source));
  if (before !== undefined) item.append(movedFrom(before, index + 1));
  item.dataset['id'] = String(id);
  return item;
}

/** The change by the reranker. */
function movedFrom(before: number, now: number): HTMLElement {
  const [kind, arrow] = before > now ? ['up', '\u2191'] : before < now ? ['down', '\u2193'] : ['same', '='];
  const words = before === now ? `${ordinal(now)} before reranking too` : `${ordinal(before)} before reranking`;
  return element('p', { className: `moved ${kind}` }, element('span', { ariaHidden: 'true' }, arrow), ` ${words}`);
}
