// The form of an answer: text, a JSON object, or JSON that matches a schema.

import type { GenerateOptions } from '../../generate/types.js';
import { invalidField, unsupportedField } from './api_error.js';
import { anything, Fields, object, text } from './fields.js';

const schemaRules = { type: anything, name: text, description: text, schema: object, strict: anything };

/**
 * `format`: { type, … }; `path`: where it is in the body. The schema is a member of `json_schema` in chat completions,
 * and of the format in responses.
 */
export function formOf(format: unknown, path: string): GenerateOptions['jsonSchema'] {
  if (format === undefined) return undefined;
  const { type, json_schema: nested } = Object(format);
  if (type === 'text') return undefined;
  if (type === 'json_object') return new Fields(format, { type: anything, schema: object }, path).get('schema') ?? true;
  if (type !== 'json_schema') throw invalidField(`${path}.type`, "'text', 'json_object' or 'json_schema'");
  return new Fields(nested ?? format, schemaRules, nested ? `${path}.json_schema` : path).require('schema');
}

/** The package constrains all of an answer, or none of it. */
export function checkForm({ jsonSchema, grammar, chat, toolChoice }: GenerateOptions, path: string): void {
  const isFree = (jsonSchema ?? grammar) === undefined;
  if (isFree || !chat?.tools || toolChoice === 'none') return;
  throw unsupportedField(grammar ? 'grammar' : path, " with tools, unless 'tool_choice' is 'none'");
}
