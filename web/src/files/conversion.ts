import type { ConvertOptions } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { bytes, count } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import type { Chosen } from './chosen.js';
import { ConvertForm } from './convert_form.js';
import { chooseDestination, type Destination } from './destination.js';
import { check, convertTo } from './model_files.js';
import { extensions, type SourceKind, type Target } from './targets.js';

/** Converts the open files, one conversion at a time, and offers the result. */
export class ConversionPanel {
  readonly #start = byId('start-convert', HTMLButtonElement);
  readonly #stop = byId('stop-convert', HTMLButtonElement);
  readonly #result = byId('converted', HTMLElement);
  readonly #progress = new ProgressBar(byId('converting', HTMLElement));
  readonly #form = new ConvertForm((settings) => void this.#convert(settings));
  #chosen: Chosen | undefined;
  #running: AbortController | undefined;
  #url: string | undefined;

  /** `onOpen` opens a result in place of its source. */
  constructor(private readonly onOpen: (file: File) => void) {
    this.#stop.onclick = () => this.#running?.abort();
  }

  show(chosen: Chosen, source: SourceKind): void {
    this.#end();
    this.#chosen = chosen;
    this.#form.show(source);
    this.#clear();
  }

  async #convert(settings: Omit<ConvertOptions, 'signal' | 'onProgress'>): Promise<void> {
    const { name, source } = this.#chosen!;
    const running = new AbortController();
    this.#end();
    this.#running = running;
    this.#clear();
    [this.#start.disabled, this.#stop.disabled] = [true, false];
    try {
      const destination = await chooseDestination(resultName(name, settings.to));
      if (!destination) return;
      this.#progress.show('Starting', 0, undefined, '');
      await convertTo(destination.stream, source, {
        ...settings,
        signal: running.signal,
        onProgress: ({ tensor, done, total }) =>
          this.#progress.show(`Converting ${tensor}`, done, total, `${count(done)} of ${count(total)}`),
      });
      const file = await destination.file();
      // From here on there is a result, and nothing to cancel.
      this.#stop.disabled = true;
      this.#progress.show('Reading it back', 0, undefined, '');
      await check(file, { signal: running.signal });
      this.#offer(file, destination);
    } catch (error) {
      if (!running.signal.aborted) showProblem(this.#result, 'The conversion failed', error, { open: true });
      else if (this.#running === running)
        this.#result.replaceChildren(element('p', {}, 'Canceled. Nothing was saved.'));
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.#progress.hide();
        [this.#start.disabled, this.#stop.disabled] = [false, true];
      }
    }
  }

  #offer(file: File, { saved }: Destination): void {
    const open = element('button', { type: 'button', className: 'button' }, 'Open it here');
    open.onclick = () => this.onOpen(file);
    const buttons = element('div', { className: 'buttons' }, open);
    if (!saved) {
      this.#url = URL.createObjectURL(file);
      buttons.prepend(element('a', { className: 'button primary', href: this.#url, download: file.name }, 'Save file'));
    }
    const title = `${file.name}, ${bytes(file.size)}`;
    const state = saved ? 'Saved and read back: it is valid.' : 'Read back: it is valid.';
    this.#result.replaceChildren(
      element('div', { className: 'notice good' }, element('strong', {}, title), element('p', {}, state), buttons),
    );
  }

  #clear(): void {
    this.#result.replaceChildren();
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  #end(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#progress.hide();
    [this.#start.disabled, this.#stop.disabled] = [false, true];
  }
}

/** Next to the source it must not have the source's name. */
function resultName(source: string, to: Target): string {
  const base = source.replace(/\.(amb|alt|weights|safetensors|bin|gguf)$/i, '');
  const name = `${base}${extensions[to]}`;
  return name === source ? `${base}-converted${extensions[to]}` : name;
}
