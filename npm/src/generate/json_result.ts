// The value of a text that is JSON, checked by the schema that it was made with. Loaded with the first one.

import { inputError } from '../base/errors.js';
import { parseExactly } from '../base/exact_json.js';
import { isStandardSchema } from '../base/standard_schema.js';
import { validated } from './validation.js';
import type { GenerateOptions, GenerationSummary } from './types.js';

export async function jsonResult(
  text: string,
  { reason }: GenerationSummary,
  { jsonSchema, largeIntegers }: Pick<GenerateOptions, 'jsonSchema' | 'largeIntegers'>,
): Promise<unknown> {
  const value = parsed(text, largeIntegers === 'bigint' ? parseExactly : JSON.parse, reason);
  return isStandardSchema(jsonSchema) ? validated(jsonSchema, value, 'json') : value;
}

function parsed(text: string, parse: (text: string) => unknown, reason: string): unknown {
  try {
    return parse(text);
  } catch {
    throw inputError('malformed', `json: the text, which ended with the reason '${reason}', is not valid JSON`);
  }
}
