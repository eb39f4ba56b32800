// The files of a low-rank adapter (LoRA): a GGUF file, or the two of PEFT.

import type { Reader } from './types.js';

/** The files that are read of an adapter. */
export const adapterReader = (who: string): Reader => ({
  who,
  kinds: ['safetensors', 'gguf'],
  own: [],
  describing: ['adapter_config.json'],
  weights: 'adapter_model.safetensors',
});
