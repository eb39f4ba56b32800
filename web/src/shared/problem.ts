import { QuintetError } from 'quintet';

import { element } from './dom.js';
import { count } from './numbers.js';

const byReason: Partial<Record<string, string>> = {
  truncated: 'The file ends too early. The download was probably incomplete.',
  bad_magic: 'This kind of file cannot be used here.',
  bad_version: 'This version of the file format is not supported.',
  checksum: 'The file is damaged: its checksum does not match.',
  integrity: 'The downloaded file is not the expected one.',
  too_long: 'The text is too long for the model.',
  tainted: 'The picture comes from another site that does not allow pages to read its pixels.',
  network: 'The server cannot be reached. Are you offline?',
  no_access: 'There is no such model, or access to it is restricted.',
  offline: 'The model is not on this device, and there is no network.',
  not_found: 'There is no such file.',
  http_status: 'The server answered with an error.',
  html_instead_of_model: 'The server sent a web page instead of a model.',
  wasm: 'The WebAssembly module could not be loaded.',
  self_test: 'WebAssembly gives wrong results in this browser, so the model cannot run.',
  worker: 'The background worker has stopped. Reload the page to continue.',
};

const byCode: Record<QuintetError['code'], string> = {
  FORMAT: 'The file is not valid.',
  UNSUPPORTED: 'This is not supported.',
  IO: 'The data could not be read.',
  ABORTED: 'Stopped.',
  MEMORY: 'There is not enough memory.',
  INPUT: 'This input cannot be used.',
  CLOSED: 'The model has already been closed.',
  INTERNAL: 'Something went wrong inside quintet. Please report it.',
};

/** A failure in one sentence. */
export function sentenceOf(error: unknown): string {
  if (error instanceof QuintetError) return byReason[error.reason ?? ''] ?? byCode[error.code];
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    return 'The storage limit of this site is reached.';
  }
  return error instanceof Error ? error.message : String(error);
}

/** Facts for a bug report. */
function detailsOf({ message, code, reason, format, offset, tensor }: QuintetError, open: boolean): HTMLElement {
  const facts = {
    Code: reason ? `${code}, ${reason}` : code,
    Format: format,
    Byte: offset === undefined ? undefined : count(offset),
    Tensor: tensor,
  };
  const rows = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  return element(
    'details',
    { open },
    element('summary', {}, 'Details'),
    element('code', {}, message),
    element(
      'dl',
      { className: 'pairs' },
      ...rows.flatMap(([name, fact]) => [element('dt', {}, name), element('dd', {}, fact!)]),
    ),
  );
}

interface ProblemOptions {
  /** Becomes a button, where trying again makes sense. */
  again?: () => void;
  /** Show the details at once. */
  open?: boolean;
}

/** Shows in `host` what failed. `what` is the headline: 'The model could not be loaded'. */
export function showProblem(
  host: HTMLElement,
  what: string,
  error: unknown,
  { again, open = false }: ProblemOptions = {},
): void {
  const box = element('div', { className: 'notice bad', role: 'alert' }, element('strong', {}, what));
  box.append(element('p', {}, sentenceOf(error)));
  if (error instanceof QuintetError) box.append(detailsOf(error, open));
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
