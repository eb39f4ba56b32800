// Grammars of texts in tool calls that are not written as strings of JSON.

import { isA } from '../../base/values.js';
import { textOf } from './call_grammars.js';
import { referred } from './schema_types.js';

/** GBNF of texts; undefined for texts that cannot be written. */
export interface Texts {
  any: string;
  /** Where a schema sets no limits. */
  untyped?: string;
  /** A text of this length, in characters. */
  limited(least: number, most: number | ''): string | undefined;
  /** The given value, which need not be a text. */
  literal(value: unknown): string | undefined;
}

/** Keywords that no value can break. */
const annotations = ['title', 'description', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly', '$comment'];
/** References lead no deeper than this: they may lead back. */
const maxDepth = 8;

/**
 * GBNF of the values of a schema for texts; undefined if the schema has more than can be expressed here. `root`: where
 * references begin. `others`: GBNF of an alternative that is not such a schema.
 */
export function textGrammar(
  schema: object,
  root: unknown,
  texts: Texts,
  others: (schema: object) => string,
  depth = 0,
): string | undefined {
  if (!isA(schema, 'Object') || depth > maxDepth) return undefined;
  const { $ref, anyOf, type, minLength = 0, maxLength = '', ...more } = schema as Record<string, unknown>;
  const values = 'const' in more ? [more.const] : more.enum;
  const isOnly = (...keywords: string[]) =>
    Object.keys(schema).every((keyword) => keywords.includes(keyword) || annotations.includes(keyword));
  if (isOnly()) return texts.untyped;
  const within = (each: object) => textGrammar(each, root, texts, others, depth + 1);
  const alternatives = (all: readonly object[]) => `(${all.map((each) => within(each) ?? others(each)).join(' | ')})`;

  if ($ref !== undefined) return isOnly('$ref') ? within(referred($ref, root) as object) : undefined;
  if (Array.isArray(anyOf)) return isOnly('anyOf') && anyOf.length > 0 ? alternatives(anyOf) : undefined;
  if (Array.isArray(values)) {
    const written = isOnly('const', 'enum', 'type') ? values.map((value) => texts.literal(value)) : [undefined];
    return written.length > 0 && !written.includes(undefined) ? `(${written.join(' | ')})` : undefined;
  }
  if (Array.isArray(type))
    return type.length > 0 ? alternatives(type.map((each) => ({ ...schema, type: each }))) : undefined;
  if (type !== 'string' || !isOnly('type', 'minLength', 'maxLength')) return undefined;
  return isOnly('type') ? texts.any : texts.limited(minLength as number, maxLength as number | '');
}

/**
 * The rule `text`, and those that it needs: a text that contains none of these words. Each has one `<`, at its
 * beginning.
 */
export function textWithout(words: readonly string[]): string[] {
  const rules: string[] = [];
  const after = (read: string): string => {
    const name = `text-${rules.push('')}`;
    const at = rules.length - 1;
    const next = [...new Set(words.filter((word) => word.startsWith(read)).map((word) => word[read.length]!))];
    const onward = next
      .filter((letter) => !words.includes(read + letter))
      .map((letter) => `${textOf(letter)} ${after(read + letter)}`);
    rules[at] = `${name} ::= ${[...onward, `[^<${next.join('')}]`, '"<" text-1'].join(' | ')}`;
    return name;
  };
  return [`text ::= ([^<] | "<" ${after('<')})*`, ...rules];
}
