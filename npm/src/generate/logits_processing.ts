// Lets the caller edit logits. Loaded with the first generation that does.

import { inputError } from '../base/errors.js';
import type { CallOptions } from '../worker/calls.js';
import type { FinalQuestion, LogitsQuestion } from './calls.js';
import type { TokenQueue } from './generation.js';
import type { GenerateOptions } from './types.js';

/** Answers the requests of a generation with the logits that the caller edited. */
export function processingOf(items: TokenQueue, process: NonNullable<GenerateOptions['logitsProcessor']>): CallOptions {
  const tokens: number[] = [];
  items.onId = (id) => tokens.push(id);
  return {
    async onQuestion(question: LogitsQuestion | FinalQuestion) {
      if (question === 'heard') return undefined;
      const { logits, held = new Int32Array() } = question;
      for (const id of held) tokens.push(id);
      const { length } = logits;
      process(logits, tokens);
      if (logits.length === length) return logits;
      throw inputError('used', 'logitsProcessor: edit the logits in place, and do not transfer their buffer');
    },
  };
}
