// The tokens that could have come instead: a box beside the token that is pointed at, tapped, or reached with the arrow keys.
import { byId, element } from '../shared/dom.js';
import { percent } from '../shared/numbers.js';
import type { Choice, Sheet } from './sheet.js';

const story = byId('story', HTMLElement);
const switched = byId('certainty', HTMLInputElement);
const hint = byId('certainty-hint', HTMLElement);
const GAP = 6;

export function showAlternatives(sheet: Sheet): void {
  const box = element('div', { className: 'alternatives', hidden: true, role: 'status' });
  document.body.append(box);
  let current: Element | undefined;

  const choose = (piece: Element | null | undefined) => {
    current?.classList.remove('chosen');
    current = piece ?? undefined;
    const choice = current && switched.checked ? sheet.choiceOf(current) : undefined;
    box.hidden = !choice;
    if (!choice || !current) return;
    current.classList.add('chosen');
    fill(box, current.textContent, choice);
    place(box, current);
  };
  const pieceAt = (event: Event) => (event.target as Element).closest('.piece');
  const neighbour = (forward: boolean) => {
    if (!current?.isConnected) return story.querySelector('.piece');
    const next = forward ? current.nextElementSibling : current.previousElementSibling;
    return next?.matches('.piece') ? next : current;
  };

  switched.addEventListener('change', () => {
    story.classList.toggle('certainty', switched.checked);
    hint.hidden = !switched.checked;
    choose(undefined);
  });
  story.addEventListener('pointerover', (event) => choose(pieceAt(event)));
  story.addEventListener('pointerleave', () => choose(undefined));
  story.addEventListener('click', (event) => choose(pieceAt(event)));
  story.addEventListener('blur', () => choose(undefined));
  story.addEventListener('scroll', () => choose(undefined));
  story.addEventListener('keydown', (event) => {
    if (!switched.checked) return;
    if (event.key === 'Escape') return choose(undefined);
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const piece = neighbour(event.key === 'ArrowRight');
    piece?.scrollIntoView({ block: 'nearest' });
    choose(piece);
  });
}

function fill(box: HTMLElement, text: string, { logprob, top }: Choice): void {
  const rows = top.map((candidate) => {
    const probability = Math.exp(candidate.logprob);
    const meter = element('span', { className: 'meter' });
    meter.style.setProperty('--value', String(probability));
    const isChosen = candidate.logprob === logprob && candidate.text === text;
    return element(
      'li',
      { className: isChosen ? 'taken' : '' },
      element('span', { className: 'token' }, visible(candidate.text)),
      meter,
      element('span', { className: 'share' }, percent(probability)),
    );
  });
  const others = element('ol', {}, ...rows);
  box.replaceChildren(
    element('p', {}, element('strong', {}, visible(text)), ` had ${percent(Math.exp(logprob))}`),
    others,
  );
}

/** Spaces and line breaks as symbols. */
const visible = (text: string): string => text.replaceAll('\n', '⏎').replaceAll(' ', '␣') || '∅';

function place(box: HTMLElement, piece: Element): void {
  const { left, top, bottom } = piece.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const right = document.documentElement.clientWidth - width - GAP;
  box.style.left = `${Math.max(Math.min(left, right), GAP) + scrollX}px`;
  const below = bottom + GAP + height < innerHeight || top < height + GAP;
  box.style.top = `${(below ? bottom + GAP : top - height - GAP) + scrollY}px`;
}
