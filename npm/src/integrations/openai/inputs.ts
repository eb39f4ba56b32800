// Inputs of completions and embeddings: a text, token ids, or lists of these.

import { invalidField } from './api_error.js';

export type ModelInput = string | readonly number[];

export function inputsOf(input: unknown, path: string): ModelInput[] {
  if (isInput(input)) return [input];
  if (Array.isArray(input) && input.length > 0 && input.every(isInput)) return input;
  throw invalidField(path, 'a text, token ids, or a list of texts or of lists of token ids, not empty');
}

const isInput = (value: unknown): value is ModelInput =>
  typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id)));
