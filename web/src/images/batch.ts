// Many pictures at once, with their classes in a table.
import type { Classification, ImageInput } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { counted, milliseconds, percent } from '../shared/numbers.js';
import { sentenceOf } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { saveFile } from '../shared/save_file.js';

type Timed = (image: ImageInput) => Promise<[Classification[], number]>;

export class Batch {
  readonly #section = byId('batch', HTMLElement);
  readonly #rows = byId('batch-rows', HTMLElement);
  readonly #summary = byId('batch-summary', HTMLElement);
  readonly #stop = byId('stop-batch', HTMLButtonElement);
  readonly #save = byId('save-batch', HTMLButtonElement);
  #running: object | undefined;
  #urls: string[] = [];
  #lines: string[][] = [];

  constructor() {
    this.#stop.onclick = () => this.stop();
    this.#save.onclick = () =>
      saveFile(
        'classes.csv',
        new TextEncoder().encode(this.#lines.map((line) => `${line.map(quoted).join()}\r\n`).join('')),
      );
  }

  stop(): void {
    this.#running = undefined;
  }

  /** Classifies one picture after another. A file that is not a picture has a row with the reason. */
  async run(files: readonly File[], classify: Timed): Promise<void> {
    const run = (this.#running = {});
    this.#clear();
    this.#section.hidden = false;
    this.#stop.hidden = false;
    const progress = new ProgressBar(byId('batch-progress', HTMLElement));
    const begin = performance.now();
    let done = 0;
    for (const file of files) {
      progress.show('Classifying', done, files.length, `${done} of ${files.length}`);
      const [row, line] = await this.#rowOf(file, classify);
      // Another batch may have begun, whose table this is now.
      if (this.#running !== run) break;
      this.#rows.append(row);
      this.#lines.push(line);
      done += 1;
    }
    if (this.#running !== run && this.#running) return;
    progress.hide();
    this.#running = undefined;
    this.#stop.hidden = true;
    this.#save.hidden = done === 0;
    const ended = done === files.length ? '' : ', then stopped';
    this.#summary.textContent = `${counted(done, 'picture')} in ${milliseconds(performance.now() - begin)}${ended}`;
  }

  async #rowOf(file: File, classify: Timed): Promise<[HTMLElement, string[]]> {
    const url = URL.createObjectURL(file);
    this.#urls.push(url);
    const thumbnail = element('img', { src: url, alt: '', width: 48, height: 48, loading: 'lazy' });
    const name = element('th', { scope: 'row' }, file.webkitRelativePath || file.name);
    try {
      const [[best, next], time] = await classify(file);
      const texts = [best!.label, percent(best!.score), next ? `${next.label}, ${percent(next.score)}` : ''];
      const cells = [...texts, milliseconds(time)].map((text) => element('td', {}, text));
      const row = element('tr', {}, element('td', {}, thumbnail), name, ...cells);
      return [row, [file.name, best!.label, String(best!.score)]];
    } catch (error) {
      const row = element('tr', {}, element('td', {}), name, element('td', { colSpan: 4 }, sentenceOf(error)));
      return [row, [file.name, '', '']];
    }
  }

  #clear(): void {
    for (const url of this.#urls) URL.revokeObjectURL(url);
    [this.#urls, this.#lines] = [[], [['file', 'class', 'score']]];
    this.#rows.replaceChildren();
    this.#summary.replaceChildren();
    this.#save.hidden = true;
  }
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
