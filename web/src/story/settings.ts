import type { GenerateOptions } from 'quintet';

import { byId } from '../shared/dom.js';

const form = byId('settings', HTMLFormElement);
const seed = byId('seed', HTMLInputElement);
const newSeed = byId('new-seed', HTMLInputElement);
const SEEDS = 2 ** 32;

const value = (id: string): number => byId(id, HTMLInputElement).valueAsNumber;

/** The settings of the form. A new seed is shown there, so that the same story can be written again. */
export function readSettings(): GenerateOptions {
  if (newSeed.checked || !seed.validity.valid || seed.value === '') {
    seed.valueAsNumber = crypto.getRandomValues(new Uint32Array(1))[0]! % SEEDS;
  }
  return {
    temperature: value('temperature'),
    topK: value('top-k'),
    topP: value('top-p'),
    minP: value('min-p'),
    repetitionPenalty: value('repetition-penalty'),
    maxTokens: value('max-tokens'),
    seed: seed.valueAsNumber,
  };
}

function showValues(): void {
  for (const output of form.querySelectorAll('output')) {
    output.value = byId(output.htmlFor.value, HTMLInputElement).value;
  }
}

form.addEventListener('input', showValues);
form.addEventListener('submit', (event) => event.preventDefault());
// A seed that was typed should stay.
seed.addEventListener('input', () => (newSeed.checked = false));
showValues();
