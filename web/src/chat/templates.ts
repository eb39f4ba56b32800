// How messages are written for the model: as it was trained, or as the visitor chooses.

import type { ChatTemplateOptions } from 'quintet';

import { byId } from '../shared/dom.js';

/** The texts one after another, for models that were trained for no conversation. */
const plain = '{{ bos_token }}{% for message in messages %}{{ message.content }}{{ " " if not loop.last }}{% endfor %}';

const select = byId('template', HTMLSelectElement);

/** The bundled model has no template, and others usually have one. */
export function suggestTemplate(isBundled: boolean): void {
  select.value = isBundled ? 'plain' : '';
}

export function chosenTemplate(): { chat?: ChatTemplateOptions } {
  const { value } = select;
  if (value === '') return {};
  return { chat: { template: value === 'plain' ? plain : value } };
}
