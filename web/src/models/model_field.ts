// A field for a model by its name on the Hugging Face Hub or by its URL. It shows download and memory before a load.

import { inspect, QuintetError } from 'quintet';

import { element } from '../shared/dom.js';
import { bytes } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { hub } from './hub.js';

export interface NamedModel {
  name: string;
  /** hf:OWNER/NAME, or a URL. */
  source: string;
}

/** A model that most devices have room for. */
export interface SuggestedModel extends NamedModel {
  bytes: number;
  license: string;
}

/**
 * Fills a form. `use` is called after the visitor has seen the size and still wants the model; at once if only a part
 * is read.
 */
export function modelField(
  form: HTMLFormElement,
  suggested: readonly SuggestedModel[],
  use: (model: NamedModel) => void,
  { readsAll = true } = {},
): void {
  const input = element('input', {
    type: 'text',
    required: true,
    spellcheck: false,
    autocomplete: 'off',
    placeholder: 'hf:OWNER/NAME or https://…',
  });
  const told = element('div', { className: 'stack', role: 'status' });
  const hint = readsAll
    ? 'Downloaded to this device and kept in the browser. Nothing of yours is uploaded.'
    : 'Only the parts that are shown are downloaded.';
  const chips = suggested.map(({ name, source, bytes: size, license }) => {
    const chip = element('button', { type: 'button', className: 'chip' }, `${name}: ${bytes(size)}, ${license}`);
    chip.onclick = () => {
      input.value = source;
      form.requestSubmit();
    };
    return chip;
  });
  form.append(
    element(
      'label',
      { className: 'field' },
      element('span', {}, 'Model by name or URL'),
      input,
      element('small', {}, hint),
    ),
    element('div', { className: 'buttons' }, ...chips),
    element(
      'div',
      { className: 'buttons' },
      element('button', { type: 'submit', className: 'button' }, readsAll ? 'Look it up' : 'Open'),
    ),
    told,
  );
  let asking = new AbortController();
  form.onsubmit = (event) => {
    event.preventDefault();
    asking.abort();
    asking = new AbortController();
    const source = input.value.trim();
    const obstacle = obstacleTo(source);
    told.replaceChildren(...(obstacle === undefined ? [] : [sentence(obstacle)]));
    if (obstacle !== undefined) return;
    if (readsAll) void lookUp(source, told, use, asking.signal);
    else use({ name: nameOf(source), source });
  };
}

const sentence = (text: string): HTMLElement => element('p', { className: 'hint' }, text);

function obstacleTo(source: string): string | undefined {
  if (!/^(hf:|https?:\/\/)/.test(source)) return 'A name begins with hf:, a URL with https://.';
  return navigator.onLine ? undefined : 'You are offline, so no other model can be downloaded. The one in use stays.';
}

async function lookUp(
  source: string,
  told: HTMLElement,
  use: (model: NamedModel) => void,
  signal: AbortSignal,
): Promise<void> {
  told.replaceChildren(sentence(`Looking for ${source} …`));
  try {
    const takes = await demandsOf(source, signal);
    if (signal.aborted) return;
    const button = element('button', { type: 'button', className: 'button primary' }, 'Download and use');
    button.onclick = () => {
      told.replaceChildren();
      use({ name: nameOf(source), source });
    };
    told.replaceChildren(sentence(takes), element('div', {}, button));
  } catch (error) {
    if (!signal.aborted) showProblem(told, `${source} cannot be used. The model in use stays`, error, { open: true });
  }
}

/** Reads the beginning of the model's file. */
async function demandsOf(source: string, signal: AbortSignal): Promise<string> {
  try {
    const { fileSize, memory } = await inspect(source, { ...hub, signal });
    const needed = memory ? `, and needs about ${bytes(memory.load)} of memory` : '';
    return `It downloads ${bytes(fileSize)}${needed}.`;
  } catch (error) {
    // Models in several files have no single one that identifies them.
    if (error instanceof QuintetError && error.reason === 'mismatch')
      return 'It has several files. Their size is shown when the download begins.';
    throw error;
  }
}

const nameOf = (source: string): string =>
  source
    .split('/')
    .at(-1)!
    .replace(/[?#].*/, '');
