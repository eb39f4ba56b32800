// Grammars of answers that are one call of a tool, in GBNF. The schemas of tools become rules where they are compiled.

import type { ToolDefinition } from '../types.js';

/**
 * GBNF that uses the rules `schema-0`, `schema-1`, …: those are JSON values that match the schemas. It begins with the
 * rule `root`, which has one alternative.
 */
export interface SchemaGrammar {
  gbnf: string;
  schemas: object[];
  /** Values are read as Python, in whose strings \\/ is not an escape. */
  python?: true;
}

/** `marker`: GBNF of a text that may be a special token. `begin`, `end`: of the format. */
export type CallGrammar = (
  tools: readonly ToolDefinition[],
  marker: (text: string) => string,
  begin: string,
  end: string,
) => SchemaGrammar;

/** Calls as JSON. `around`: the texts before and after one. */
export const jsonCalls =
  (around: (begin: string, end: string) => [before: string, after: string], argumentsName = 'arguments'): CallGrammar =>
  (tools, marker, begin, end) => {
    const anyOf = tools.map(({ name, parameters = anyArguments }, index) => ({
      type: 'object',
      properties: {
        name: { const: name },
        [argumentsName]: objectOnly(parameters, `#/anyOf/${index}/properties/${argumentsName}`),
      },
      required: ['name', argumentsName],
      additionalProperties: false,
    }));
    const [before, after] = around(marker(begin), marker(end));
    return { gbnf: `root ::= ${before} schema-0 ${after}`, schemas: [{ anyOf }] };
  };

const anyArguments = { type: 'object' };

/**
 * The arguments of a call are an object, even if their schema allows other values. `place`: where the schema will be.
 */
const objectOnly = (parameters: object, place = '#'): object =>
  (parameters as { type?: unknown }).type === 'object'
    ? (moved(parameters, place) as object)
    : { allOf: [anyArguments, moved(parameters, `${place}/allOf/1`)] };

/** A name and a block of JSON. `around`: the text before and after it, within the markers of all calls. */
const fencedCalls =
  (around: (marker: (text: string) => string) => [before: string, after: string]): CallGrammar =>
  (tools, marker, begin, end) => {
    const calls = tools.map(({ name }, index) => `${textOf(`${name}\n\`\`\`json\n`)} schema-${index}`);
    const [before, after] = around(marker);
    const parts = [marker(begin), before, `(${calls.join(' | ')})`, textOf('\n```'), after, marker(end)];
    return {
      gbnf: `root ::= ${parts.join(' ')}`,
      schemas: tools.map(({ parameters = anyArguments }) => objectOnly(parameters)),
    };
  };

/**
 * The form of earlier calls in the template of DeepSeek-R1: https://huggingface.co/deepseek-ai/DeepSeek-R1,
 * tokenizer_config.json.
 */
export const deepSeekCalls = fencedCalls((marker) => [
  `${marker('<｜tool▁call▁begin｜>')} ${textOf('function')} ${marker('<｜tool▁sep｜>')}`,
  marker('<｜tool▁call▁end｜>'),
]);

export const hunyuanCalls = fencedCalls((marker) => [marker('<tool_call>'), marker('</tool_call>')]);

/** Keywords with schemas by names, and those with values. */
const schemasByName = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const values = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema that has another place in its document, to which its references must lead: those with a path from its root.
 * One with an `$id` is a root itself (JSON Schema 2020-12, 8.2.1).
 */
export function moved(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => moved(each, place));
  if (typeof schema !== 'object' || schema === null || Object.hasOwn(schema, '$id')) return schema;
  return mapped(schema, (key, value) => {
    if (key === '$ref') return typeof value === 'string' && /^#(\/|$)/.test(value) ? place + value.slice(1) : value;
    if (values.has(key)) return value;
    const isMap = schemasByName.has(key) && typeof value === 'object' && value !== null;
    return isMap ? mapped(value, (_name, each) => moved(each, place)) : moved(value, place);
  });
}

const mapped = (object: object, change: (key: string, value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));

/** GBNF of a text. JSON's short escapes that GBNF does not have are control characters. */
export const textOf = (text: string): string =>
  JSON.stringify(text).replace(
    /\\([bf\\])/g,
    (escaped, letter: string) => ({ b: '\\x08', f: '\\x0C' })[letter] ?? escaped,
  );
