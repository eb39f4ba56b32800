import { byId, element } from '../shared/dom.js';
import { bytes, count } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import type { FileTensor } from './description.js';
import { valuesOf } from './model_files.js';
import { summarize } from './value_summary.js';

/** As float32, this many values take 256 MB. */
const maxValues = 64 << 20;

/** Values of the tensor whose name was pressed last. */
export class ValuesView {
  readonly #host = byId('values', HTMLElement);
  #reading: AbortController | undefined;

  clear(): void {
    this.#reading?.abort();
    this.#host.replaceChildren();
  }

  async show({ name, file, shape }: FileTensor): Promise<void> {
    this.clear();
    const { signal } = (this.#reading = new AbortController());
    if (shape.reduce((product, size) => product * size, 1) > maxValues) {
      this.#say(name, `This tensor has more than ${count(maxValues)} values, which is too many to show here.`);
      return;
    }
    this.#say(name, 'Reading the values …');
    try {
      const { data } = await valuesOf(file, name, { signal });
      const summary = await summarize(data, signal);
      this.#host.replaceChildren(
        heading(name),
        list([
          ['Values', `${count(data.length)}, ${bytes(data.byteLength)} as float32`],
          ['Smallest', number(summary.least)],
          ['Largest', number(summary.greatest)],
          ['Mean', number(summary.mean)],
          ['Not finite', count(summary.notFinite)],
          ['First', [...data.subarray(0, 6)].map(number).join(', ') + (data.length > 6 ? ', …' : '')],
        ]),
      );
    } catch (error) {
      if (!signal.aborted) showProblem(this.#host, `${name} could not be read`, error, { open: true });
    }
  }

  #say(name: string, sentence: string): void {
    this.#host.replaceChildren(heading(name), element('p', { className: 'hint' }, sentence));
  }
}

const heading = (name: string): HTMLElement => element('h3', {}, name);

const list = (rows: [string, string][]): HTMLElement =>
  element(
    'dl',
    { className: 'pairs' },
    ...rows.flatMap(([name, words]) => [element('dt', {}, name), element('dd', {}, words)]),
  );

/** A float32 has about six digits. */
const number = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
