// The results as a chart, a table and JSON.
import { byId, element } from '../shared/dom.js';
import { bytes, count, milliseconds } from '../shared/numbers.js';
import type { Group } from './chart.js';
import { Chart } from './chart.js';
import type { Result } from './comparison.js';
import { jobWords, threadWords } from './comparison.js';
import type { Library } from './contestant.js';
import { LIBRARIES } from './contestant.js';
import type { Downloads } from './downloads.js';
import { librarySize } from './downloads.js';

export class Report {
  readonly #chart = new Chart(byId('chart', HTMLElement));
  readonly #rows = byId('rows', HTMLTableSectionElement);
  #results: Result[] = [];
  #downloads: Downloads | undefined;

  begin(downloads: Downloads): void {
    this.#results = [];
    this.#downloads = downloads;
    this.#show();
  }

  get results(): readonly Result[] {
    return this.#results;
  }

  add(result: Result): void {
    this.#results.push(result);
    this.#show();
  }

  get isEmpty(): boolean {
    return this.#results.length === 0;
  }

  json(runtime: Record<Library, string> | undefined): string {
    const { userAgent, hardwareConcurrency } = navigator;
    const where = { userAgent, hardwareConcurrency, crossOriginIsolated, runtime };
    const results = this.#results.map((result) => ({ ...result, ratio: ratioOf(result) }));
    return JSON.stringify({ date: new Date().toISOString(), ...where, downloads: this.#downloads, results }, null, 2);
  }

  #show(): void {
    const downloads = this.#downloads!;
    this.#chart.show([...groupsOf(this.#results), downloadsGroup(downloads)]);
    this.#rows.replaceChildren(
      ...this.#results.map(rowOf),
      downloadsRow('Download: library', (library) => librarySize(downloads, library)),
    );
    this.#rows.append(downloadsRow('Download: model', (library) => downloads[library].model));
  }
}

/** The speedup of quintet over the other library. */
const ratioOf = ({ times }: Result): number | undefined => times && times['onnxruntime-web'] / times.quintet;

const times = (ratio: number): string => `${ratio.toFixed(ratio < 9.95 ? 1 : 0)} x`;

function groupsOf(results: readonly Result[]): Group[] {
  const kinds = [...new Set(results.map(({ what }) => what))];
  return kinds.flatMap((kind) => {
    const timed = results.filter((result) => result.what === kind && result.times);
    const bars = timed.flatMap((result) =>
      LIBRARIES.map((library) => ({
        library,
        name: timed.length > 1 ? `${library}, ${threadWords(result.threads)}` : library,
        value: result.times![library],
        words: milliseconds(result.times![library]),
      })),
    );
    const [first, ...more] = timed.map((result) => ({ words: times(ratioOf(result)!), threads: result.threads }));
    const note = [
      `${first?.words} as fast`,
      ...more.map(({ words, threads }) => `${words} with ${threadWords(threads)}`),
    ];
    return bars.length > 0 ? [{ title: jobWords[kind], note: note.join('; '), bars }] : [];
  });
}

function downloadsGroup(downloads: Downloads): Group {
  const sizes = LIBRARIES.map((library) => librarySize(downloads, library));
  const bars = LIBRARIES.map((library, i) => ({ library, name: library, value: sizes[i]!, words: bytes(sizes[i]!) }));
  return {
    title: 'Download of the library',
    note: `${times(sizes[1]! / sizes[0]!)} smaller`.replace(' x', ' times'),
    bars,
  };
}

function rowOf(result: Result): HTMLTableRowElement {
  const { what, threads, agreement, runs } = result;
  const ratio = ratioOf(result);
  const cells = LIBRARIES.map((library) => cell(result.times ? milliseconds(result.times[library]) : 'not timed'));
  const answers = cell(
    agreement.agrees ? agreement.words : `Answers differ: ${agreement.words}`,
    agreement.agrees ? '' : 'differs',
  );
  const runsCell = cell(runs ? LIBRARIES.map((library) => count(runs[library])).join(' and ') : '');
  const ratioCell = cell(ratio === undefined ? '' : times(ratio), 'ratio');
  return element(
    'tr',
    {},
    heading(`${jobWords[what]}, ${threadWords(threads)}`),
    ...cells,
    ratioCell,
    answers,
    runsCell,
  );
}

function downloadsRow(title: string, size: (library: Library) => number): HTMLTableRowElement {
  const [ours, theirs] = LIBRARIES.map(size) as [number, number];
  return element(
    'tr',
    {},
    heading(title),
    cell(bytes(ours)),
    cell(bytes(theirs)),
    cell(times(theirs / ours), 'ratio'),
    cell('gzip'),
    cell(''),
  );
}

const heading = (words: string): HTMLElement => element('th', { scope: 'row' }, words);
const cell = (words: string, className = ''): HTMLTableCellElement => element('td', { className }, words);
