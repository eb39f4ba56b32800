import { QuintetError } from 'quintet';

import { element } from './dom.js';

const byReason: Partial<Record<string, string>> = {
  truncated: 'The file ends too early. It was probably not downloaded to its end.',
  bad_magic: 'This is not a file of the kind that belongs here.',
  bad_version: 'The file has a version of its format that is not known here.',
  checksum: 'The file is damaged: its checksum is wrong.',
  integrity: 'The file that came is not the one that was asked for.',
  too_long: 'The text is longer than the model can read.',
  tainted: 'The picture comes from another site, which does not let pages read its pixels.',
  network: 'The network failed, or the server cannot be reached. Are you offline?',
  http_status: 'The server refused.',
  html_instead_of_model: 'The server sent a web page where a model was expected.',
  wasm: 'The WebAssembly module could not be loaded.',
  self_test: 'The engine of this browser computes wrongly, so its results would be wrong too.',
  worker: 'The background worker ended. Reload the page to go on.',
};

const byCode: Record<QuintetError['code'], string> = {
  FORMAT: 'The file breaks the rules of its format.',
  UNSUPPORTED: 'This is not possible here.',
  IO: 'The data could not be read.',
  ABORTED: 'Stopped.',
  MEMORY: 'There is not enough memory for this.',
  INPUT: 'This input cannot be used.',
  CLOSED: 'The model was closed already.',
  INTERNAL: 'Something went wrong inside. This is our fault, not yours.',
};

/** What went wrong, in a sentence for people. */
export function sentenceOf(error: unknown): string {
  if (error instanceof QuintetError) return byReason[error.reason ?? ''] ?? byCode[error.code];
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    return 'The browser gives this site no more room to keep data.';
  }
  return error instanceof Error ? error.message : String(error);
}

/** The rest, for those who want to know or report it. */
function detailsOf(error: unknown): string | undefined {
  if (!(error instanceof QuintetError)) return undefined;
  const { code, reason, offset, message } = error;
  const where = offset === undefined ? '' : ` at byte ${offset}`;
  return `${[code, reason].filter(Boolean).join(', ')}${where}: ${message}`;
}

/**
 * Says in `host` what failed. `what` is the headline: 'The model could not be loaded'; `again`, where trying once more makes
 * sense, becomes a button.
 */
export function showProblem(host: HTMLElement, what: string, error: unknown, again?: () => void): void {
  const box = element('div', { className: 'notice bad', role: 'alert' }, element('strong', {}, what));
  box.append(element('p', {}, sentenceOf(error)));
  const details = detailsOf(error);
  if (details !== undefined) {
    box.append(element('details', {}, element('summary', {}, 'Details'), element('code', {}, details)));
  }
  if (again) {
    const button = element('button', { type: 'button', className: 'button' }, 'Try again');
    button.onclick = () => {
      box.remove();
      again();
    };
    box.append(element('div', {}, button));
  }
  host.replaceChildren(box);
}
