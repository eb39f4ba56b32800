import '../shared/shell.js';

import type { Site } from 'quintet/site';

import { byId, element, enableButtons } from '../shared/dom.js';
import { Latest } from '../shared/latest.js';
import { bytes, milliseconds } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { find, openBook } from './book_search.js';

const folder = new URL(`${import.meta.env.BASE_URL}book/`, location.href);
const query = byId('query', HTMLInputElement);
const results = byId('results', HTMLOListElement);
const examples = byId('examples', HTMLElement);
const found = byId('found', HTMLElement);

type Place = Awaited<ReturnType<typeof find>>[number];

let opening: Promise<Site> | undefined;
const questions = new Latest<string>(answer, (error) => {
  opening = undefined;
  showProblem(byId('problem', HTMLElement), 'The search failed', error, { again: ask });
});

async function answer(question: string): Promise<() => void> {
  if (question === '') return () => show([], []);
  const begin = performance.now();
  const book = await (opening ??= openBook(new URL('search/', folder)));
  const places = await find(book, question);
  const took = performance.now() - begin;
  return () =>
    show(places, [`answered in ${milliseconds(took)}`, `search: ${bytes(book.bytes)}`, `page: ${bytes(pageBytes())}`]);
}

/** The page's own downloads, compressed as they were sent: HTML, scripts and styles. */
function pageBytes(): number {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  // The search counts its own.
  const own = entries.filter(({ name }) => !name.includes('/book/search/')) as PerformanceResourceTiming[];
  return own.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

function show(places: readonly Place[], facts: readonly string[]): void {
  byId('problem', HTMLElement).replaceChildren();
  results.replaceChildren(...places.map(itemOf));
  found.replaceChildren(...facts.map((fact) => element('span', {}, fact)));
}

function itemOf({ address, title, heading, excerpt, marks }: Place): HTMLElement {
  const href = new URL(address, folder).href;
  return element(
    'li',
    { className: 'result card' },
    element('h3', {}, element('a', { href }, heading ? `${title} › ${heading}` : title)),
    element('p', { className: 'passage' }, ...marked(excerpt, marks)),
  );
}

function marked(text: string, marks: readonly (readonly [number, number])[]): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(at, start), element('mark', {}, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

function ask(): void {
  questions.ask(query.value.trim());
}

query.oninput = ask;
byId('form', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  results.querySelector('a')?.focus();
};
examples.onclick = ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  query.value = target.textContent;
  ask();
};
enableButtons(examples);
ask();
