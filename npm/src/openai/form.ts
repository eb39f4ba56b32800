// The form of an answer: text, a JSON object, or JSON that matches a schema.

import type { GenerateOptions } from '../generate/types.js';
import { invalidField, unsupportedField } from './api_error.js';
import { anything, type Fields, object, readFields, required, text } from './fields.js';

const schemaRules = { type: anything, name: text, description: text, schema: object, strict: anything };

/**
 * `format`: { type, … }; `path`: where it is in the body. The schema is a member of `json_schema` in chat completions, and of
 * the format in responses.
 */
export function formOf(format: unknown, path: string): Pick<GenerateOptions, 'jsonSchema'> {
  const { type } = Object(format) as Fields;
  if (type === 'text') return {};
  if (type === 'json_object') {
    const { schema } = readFields(format, { type: anything, schema: object }, path);
    return { jsonSchema: (schema as object | undefined) ?? true };
  }
  if (type !== 'json_schema') {
    throw invalidField(`${path}.type`, `'${path}.type' must be 'text', 'json_object' or 'json_schema'`);
  }
  const nested = (format as Fields)['json_schema'];
  const where = nested === undefined ? path : `${path}.json_schema`;
  const fields = readFields(nested ?? format, schemaRules, where);
  return { jsonSchema: required<object>(fields, 'schema', `${where}.schema`) };
}

/** The package constrains all of an answer, or none of it. */
export function checkForm(options: GenerateOptions, path: string): void {
  const isFree = options.jsonSchema === undefined && options.grammar === undefined;
  if (isFree || !options.chat?.tools || options.toolChoice === 'none') return;
  throw unsupportedField(path, `'${path}' cannot be combined with tools, unless 'tool_choice' is 'none'`);
}
