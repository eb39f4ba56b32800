import { QuintetError } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import type { ModelFile } from './chosen.js';
import { check } from './model_files.js';

const results = byId('check', HTMLElement);
const stop = byId('stop-check', HTMLButtonElement);
const again = byId('check-again', HTMLButtonElement);
const progress = new ProgressBar(byId('checking', HTMLElement));

/** Validates the files when the visitor asks for it, because that downloads all of them. */
export function offerCheck(files: readonly ModelFile[], opened: AbortSignal): void {
  again.onclick = () => void checkFiles(files, opened);
  results.replaceChildren();
  [stop.hidden, again.hidden] = [true, false];
}

/** Validates the files one after another and lists the results, until `opened` shows that other files were chosen. */
export async function checkFiles(files: readonly ModelFile[], opened: AbortSignal): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  opened.addEventListener('abort', () => controller.abort());
  stop.onclick = () => controller.abort();
  again.onclick = () => void checkFiles(files, opened);
  results.replaceChildren();
  [stop.hidden, again.hidden] = [false, true];
  for (const file of files) {
    const result = element('div', {});
    progress.show(`Reading ${file.name}`, 0, undefined, '');
    try {
      const { warnings = [], tensors } = await check(file.source, {
        signal,
        onProgress: (step) => progress.load(file.name, step, 'Reading'),
      });
      result.append(verdict(file.name, tensors.length, warnings));
    } catch (error) {
      if (opened.aborted) return;
      const invalid = error instanceof QuintetError && error.code === 'FORMAT';
      if (signal.aborted) result.append(element('p', { className: 'hint' }, 'Stopped.'));
      else
        showProblem(result, `${file.name} ${invalid ? 'is not valid' : 'could not be checked'}`, error, { open: true });
    }
    if (opened.aborted) return;
    results.append(result);
    if (signal.aborted) break;
  }
  progress.hide();
  [stop.hidden, again.hidden] = [true, !signal.aborted];
}

function verdict(name: string, tensors: number, warnings: readonly string[]): HTMLElement {
  if (warnings.length === 0) {
    const found = `Structure, checksums, shapes and values of ${counted(tensors, 'tensor')} were checked.`;
    return element(
      'div',
      { className: 'notice good' },
      element('strong', {}, `${name} is valid.`),
      element('p', {}, found),
    );
  }
  const title = `${name} is valid, with ${counted(warnings.length, 'warning')}.`;
  const findings = warnings.map((warning) => element('li', {}, warning));
  return element('div', { className: 'notice warn' }, element('strong', {}, title), element('ul', {}, ...findings));
}
