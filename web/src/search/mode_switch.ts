import { byId } from '../shared/dom.js';
import type { SearchMode } from './semantic_search.js';

/** The choice between searching by meaning, by words, and by both. */
export class ModeSwitch {
  private readonly choice = byId('modes', HTMLFieldSetElement);

  constructor(onChange: () => void) {
    this.choice.addEventListener('change', onChange);
    this.choice.disabled = false;
  }

  get mode(): SearchMode {
    return this.choice.querySelector<HTMLInputElement>('input:checked')!.value as SearchMode;
  }
}
