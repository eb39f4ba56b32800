// Grammars as they travel to the engine: as text.

import { wellFormed } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { jsonText } from '../base/json_text.js';
import { jsonSchemaOf } from '../base/standard_schema.js';
import { isA, typeName } from '../base/values.js';

/** A grammar in GBNF, or a JSON schema as JSON. */
export interface GrammarText {
  kind: 'gbnf' | 'jsonSchema';
  text: string;
  /** JSON schemas, as JSON, whose values are the rules `schema-0`, `schema-1`, … of the GBNF. */
  schemas?: readonly string[];
  /** These values are read as Python. */
  python?: boolean;
}

export function gbnfText(gbnf: unknown, where: string): GrammarText {
  if (typeof gbnf === 'string') return { kind: 'gbnf', text: wellFormed(gbnf) };
  throw inputError('wrong_type', `${where}: a grammar is a text in GBNF, not ${typeName(gbnf)}`);
}

/** The grammar of a JSON schema or a Standard Schema. */
export function schemaText(given: unknown, where: string): GrammarText {
  const schema = jsonSchemaOf(given, where);
  if (schema === true || isA(schema, 'Object')) {
    // Anything that JSON cannot hold, such as a cycle, is a separate exception.
    try {
      return { kind: 'jsonSchema', text: wellFormed(jsonOf(schema)) };
    } catch (cause) {
      throw inputError('wrong_type', `${where}: the JSON schema cannot be written as JSON: ${String(cause)}`);
    }
  }
  throw inputError('wrong_type', `${where}: a JSON schema is an object or true, not ${typeName(schema)}`);
}

/** With all digits of every bigint, which JSON.stringify cannot write. */
function jsonOf(schema: unknown): string {
  let hasBigInts = false;
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    hasBigInts = true;
    return 0;
  });
  return hasBigInts ? jsonText(schema) : text;
}
