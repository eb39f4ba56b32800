import { byId, element } from '../shared/dom.js';
import { bytes, count, counted } from '../shared/numbers.js';
import type { FileTensor } from './description.js';

/** Rows that are added at a time: a model may have thousands of tensors, and a hostile file many more. */
const page = 200;

/** The table of the tensors whose names contain the text typed above it. */
export class TensorsView {
  readonly #filter = byId('filter', HTMLInputElement);
  readonly #rows = byId('tensors', HTMLTableSectionElement);
  readonly #shown = byId('tensors-shown', HTMLElement);
  readonly #more = byId('more-tensors', HTMLButtonElement);
  #tensors: readonly FileTensor[] = [];
  #matching: readonly FileTensor[] = [];

  constructor(private readonly onValues: (tensor: FileTensor) => void) {
    this.#filter.addEventListener('input', () => this.#match());
    this.#more.addEventListener('click', () => this.#add());
  }

  show(tensors: readonly FileTensor[]): void {
    this.#tensors = tensors;
    this.#filter.value = '';
    this.#match();
  }

  #match(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    this.#matching = this.#tensors.filter(({ name }) => name.toLowerCase().includes(wanted));
    this.#rows.replaceChildren();
    this.#add();
  }

  #add(): void {
    const begin = this.#rows.childElementCount;
    const next = this.#matching.slice(begin, begin + page);
    this.#rows.append(...next.map((tensor) => this.#row(tensor)));
    const shown = begin + next.length;
    this.#more.hidden = shown === this.#matching.length;
    this.#shown.textContent =
      shown < this.#matching.length
        ? `${count(shown)} of ${counted(this.#matching.length, 'tensor')}`
        : counted(shown, 'tensor');
  }

  #row(tensor: FileTensor): HTMLTableRowElement {
    const name = element('button', { type: 'button', className: 'tensor' }, tensor.name || '(no name)');
    name.onclick = () => this.onValues(tensor);
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      element('td', {}, tensor.dtype, ...groupsOf(tensor)),
      element('td', {}, `[${tensor.shape.join(', ')}]`),
      element('td', { className: 'number' }, bytes(tensor.bytes)),
    );
  }
}

function groupsOf({ block, scaleType }: FileTensor): HTMLElement[] {
  if (block === undefined) return [];
  const groups = block === 0 ? 'one scale' : `groups of ${block}`;
  return [element('small', {}, scaleType ? `${groups}, ${scaleType}` : groups)];
}
