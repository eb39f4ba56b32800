// The models of a conversation as cards: three by name, one click each, and the visitor's own file.

import type { ModelSource } from 'quintet';
import { element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { bytes } from '../shared/numbers.js';
import { type ChatModel, chatModels, memoryOf, thisDevice, verdictOn } from './chat_models.js';
import { modelField } from './model_field.js';

/** `use` is called with the model that the visitor has chosen. */
export type UseModel = (name: string, source: ModelSource) => void;

/** Fills `host`, a section, with the cards. */
export function modelCards(host: HTMLElement, use: UseModel): void {
  const cards = chatModels.map((model) => cardOf(model, use));
  const named = element('form', { className: 'stack', id: 'named-model' });
  host.append(
    element('ul', { className: 'models' }, ...cards.map(({ card }) => card), ownCard(use)),
    element('details', {}, element('summary', {}, 'Another model by name'), named),
  );
  modelField(named, [], ({ name, source }) => use(name, source));
  void thisDevice().then((device) => {
    for (const { model, fits } of cards) {
      const { kind, words } = verdictOn(model, device);
      fits.className = `fits ${kind}`;
      fits.textContent = words;
    }
  });
}

function cardOf(model: ChatModel, use: UseModel) {
  const { name, source, about, license } = model;
  const fits = element('p', { className: 'fits' }, '\u00a0');
  const button = element('button', { type: 'button', className: 'button primary', ariaLabel: `Use ${name}` }, 'Use it');
  button.onclick = () => use(name, source);
  const facts = { Download: bytes(model.bytes), Memory: `from ${bytes(memoryOf(model))}`, License: license };
  const card = element(
    'li',
    { className: 'card model' },
    element('h3', {}, name),
    element('p', { className: 'hint' }, about),
    element(
      'dl',
      { className: 'pairs' },
      ...Object.entries(facts).flatMap(([what, fact]) => [element('dt', {}, what), element('dd', {}, fact)]),
    ),
    fits,
    button,
  );
  return { model, card, fits };
}

function ownCard(use: UseModel): HTMLElement {
  const hint = element(
    'span',
    { className: 'hint', id: 'own-model-hint' },
    'Drop or choose a .gguf, .amb or .alt file. It is never uploaded.',
  );
  const input = element('input', { type: 'file', accept: '.gguf,.amb,.alt' });
  input.setAttribute('aria-describedby', hint.id);
  const label = element(
    'label',
    { className: 'drop', id: 'own-model' },
    input,
    element('strong', {}, 'Your own file'),
    hint,
  );
  dropArea(label, ([file]) => use(file!.name, file!));
  return element('li', { className: 'model' }, label);
}
