// Grammars of answers that are one call of a tool, in GBNF. The schemas of tools become rules where they are compiled.

import { unsupported } from '../../base/errors.js';
import type { ToolDefinition } from '../types.js';
import { callsOfPython } from './python_calls.js';

/** GBNF that uses the rules `schema-0`, `schema-1`, …: those are JSON values that match the schemas. */
export interface SchemaGrammar {
  gbnf: string;
  schemas: object[];
  /** Values are read as Python, in whose strings \\/ is no escape. */
  python?: true;
}

/** `marker`: GBNF of a text that may be a special token. `begin`, `end`: of the format. */
export type CallGrammar = (
  tools: readonly ToolDefinition[],
  marker: (text: string) => string,
  begin: string,
  end: string,
) => SchemaGrammar;

/** Calls as JSON. `around`: what is before and after one. */
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

/** A call has its arguments in an object, also where their schema allows other values. `place`: where the schema will be. */
const objectOnly = (parameters: object, place = '#'): object =>
  (parameters as { type?: unknown }).type === 'object'
    ? (moved(parameters, place) as object)
    : { allOf: [anyArguments, moved(parameters, `${place}/allOf/1`)] };

/** As the template of DeepSeek-R1 writes earlier calls: https://huggingface.co/deepseek-ai/DeepSeek-R1, tokenizer_config.json. */
export const deepSeekCalls: CallGrammar = (tools, marker, begin, end) => {
  const calls = tools.map(({ name }, index) => `${textOf(`${name}\n\`\`\`json\n`)} schema-${index}`);
  const parts = [
    marker(begin),
    marker('<｜tool▁call▁begin｜>'),
    textOf('function'),
    marker('<｜tool▁sep｜>'),
    `(${calls.join(' | ')})`,
    textOf('\n```'),
    marker('<｜tool▁call▁end｜>'),
    marker(end),
  ];
  return {
    gbnf: `root ::= ${parts.join(' ')}`,
    schemas: tools.map(({ parameters = anyArguments }) => objectOnly(parameters)),
  };
};

/** What says nothing about the arguments that their own schemas do not. */
const plainKeywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'title',
  'description',
  'examples',
  '$comment',
]);

/** [name(a=1, b="x")], as LFM2 does: https://huggingface.co/LiquidAI/LFM2-1.2B, its section about tools. */
export const pythonCalls: CallGrammar = (tools, marker, begin, end) => {
  const schemas: object[] = [];
  const rules: string[] = [];
  const calls = tools.map((tool, index) => {
    const all = argumentsOf(tool);
    if (!callsOfPython(`[${tool.name}(${all.map(({ key }) => `${key}=0`).join(', ')})]`, { tools, exact: false })) {
      throw unsupported(
        `generate: toolChoice cannot constrain a call in Python of ${JSON.stringify(tool.name)}, whose name or arguments have no names of Python`,
      );
    }
    const pairs = all.map(({ key, required, schema }) => {
      const value =
        pythonValues[String((schema as { type?: unknown }).type)] ?? `schema-${schemas.push(inside(tool, schema)) - 1}`;
      return { required, gbnf: `${textOf(`${key}=`)} ${value}` };
    });
    const inOrder = [...pairs.filter(({ required }) => required), ...pairs.filter(({ required }) => !required)];
    // Each argument has two rules: `rest` for one that follows another argument, `first` for one that does not.
    inOrder.forEach(({ required, gbnf }, at) => {
      const rest = at + 1 < inOrder.length ? `rest-${index}-${at + 1}` : '""';
      const skipped = (others: string) => (required ? '' : ` | ${at + 1 < inOrder.length ? others : '""'}`);
      rules.push(`first-${index}-${at} ::= ${gbnf} ${rest}${skipped(`first-${index}-${at + 1}`)}`);
      rules.push(`rest-${index}-${at} ::= ", " ${gbnf} ${rest}${skipped(`rest-${index}-${at + 1}`)}`);
    });
    return `${textOf(`${tool.name}(`)} ${inOrder.length > 0 ? `first-${index}-0` : ''} ")"`;
  });
  return {
    gbnf: [`root ::= ${marker(begin)} "[" (${calls.join(' | ')}) "]" ${marker(end)}`, ...rules].join('\n'),
    schemas,
    python: true,
  };
};

/** What Python writes otherwise than JSON. Inside of other values JSON's words do as well. */
const pythonValues: Record<string, string> = { boolean: '("True" | "False")', null: '"None"' };

function argumentsOf({ name, parameters = {} }: ToolDefinition): { key: string; required: boolean; schema: object }[] {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  const unknown = Object.keys(parameters).find((keyword) => !plainKeywords.has(keyword));
  if (unknown)
    throw unsupported(
      `generate: toolChoice cannot constrain a call in Python of ${JSON.stringify(name)}: its parameters have '${unknown}'`,
    );
  const keys = [...new Set([...Object.keys(properties), ...required])];
  return keys.map((key) => ({
    key,
    required: required.includes(key),
    schema: Object.hasOwn(properties, key) ? properties[key]! : {},
  }));
}

/** The schema of an argument with what its references may lead to. */
function inside({ parameters = {} }: ToolDefinition, schema: object): object {
  const place = '#/$defs/parameters';
  return { allOf: [moved(schema, place)], $defs: { parameters: moved(parameters, place) } };
}

/** Keywords with schemas by names, and those with values. */
const schemasByName = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const values = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema that has another place in its document, to which its references must lead: those with a path from its root. One with an
 * `$id` is the root of its own (JSON Schema 2020-12, 8.2.1).
 */
function moved(schema: unknown, place: string): unknown {
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

/** GBNF of a text. JSON's short escapes that GBNF does not know are control characters. */
export const textOf = (text: string): string =>
  JSON.stringify(text).replace(
    /\\([bf\\])/g,
    (escaped, letter: string) => ({ b: '\\x08', f: '\\x0C' })[letter] ?? escaped,
  );
