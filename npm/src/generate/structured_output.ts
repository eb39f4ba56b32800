// Constrained text: the grammar that it must match, and its value if it is JSON. Loaded with the first one.

import { abortError } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { parseExactly } from '../base/exact_json.js';
import { isStandardSchema } from '../base/standard_schema.js';
import { type GrammarText, gbnfText, schemaText } from '../grammar/source.js';
import type { GenerateOptions, GenerationSummary } from './types.js';
import { validated } from './validation.js';

export function constraintOf({ grammar, jsonSchema }: Pick<GenerateOptions, 'grammar' | 'jsonSchema'>): GrammarText {
  if (grammar === undefined) return schemaText(jsonSchema, 'generate');
  if (jsonSchema !== undefined) throw inputError('used', 'generate: use one of the options grammar and jsonSchema');
  return gbnfText(typeof grammar === 'string' ? grammar : grammar.gbnf, 'generate');
}

export async function jsonResult(
  text: string,
  { reason }: GenerationSummary,
  { jsonSchema, largeIntegers, signal }: Pick<GenerateOptions, 'jsonSchema' | 'largeIntegers' | 'signal'>,
): Promise<unknown> {
  if (reason === 'abort' && signal?.aborted) throw abortError(signal);
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
