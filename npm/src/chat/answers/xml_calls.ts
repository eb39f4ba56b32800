// Calls of tools as Qwen3-Coder writes them, with values as plain text between tags:
// <function=f><parameter=x>…</parameter></function>. The tool's schema determines the type of a value, as in Qwen's own
// parser: https://huggingface.co/Qwen/Qwen3-Coder-30B-A3B-Instruct, qwen3coder_tool_parser.py (in vLLM too).

import { exactInteger } from '../../base/exact_json.js';
import { isA } from '../../base/values.js';
import { definitionOf } from '../conversation.js';
import type { ToolCall, ToolDefinition } from '../types.js';
import { valueOfJson } from './json_calls.js';
import { literalOfPython } from './python_calls.js';
import type { CallReading } from './reading.js';
import { typesIn } from './schema_types.js';

/** One call, or several. An unterminated value or call is ignored. */
export function callsOfXml(text: string, reading: CallReading): ToolCall[] | undefined {
  const tags = new Tags(text);
  const calls: ToolCall[] = [];
  for (let name = tags.opened('function'); name !== undefined; name = tags.opened('function')) {
    const values: [string, unknown][] = [];
    const typeOf = typesOf(name, reading.tools);
    for (let key = tags.opened('parameter'); key !== undefined; key = tags.opened('parameter')) {
      const value = tags.value();
      if (value === undefined) return undefined;
      values.push([key, valueOfXml(value, reading, typeOf(key))]);
    }
    if (!tags.closesFunction()) return undefined;
    calls.push({ name, arguments: Object.fromEntries(values) });
  }
  return calls.length > 0 && tags.atEnd ? calls : undefined;
}

const valueEnd = '</parameter>';
/**
 * Values may contain all of these tags. An end tag counts if the next value or the end of the function follows, and if
 * it is not part of a whole call. The beginning of a call alone is text.
 */
const valueTags =
  /<tool_call>\s*<function=|<\/function>\s*<\/tool_call>|<parameter=|<\/parameter>(?=(\s*<(?:parameter=|\/function>\s*(?:<function=|$)))?)/;

export class Tags {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The name in the tag <kind=name>, if that is next. */
  opened(kind: string): string | undefined {
    const tag = new RegExp(`\\s*<${kind}=([^<>\\n]+)>`, 'y');
    tag.lastIndex = this.at;
    const found = tag.exec(this.text);
    if (found) this.at = tag.lastIndex;
    return found?.[1];
  }

  /** The text up to the end of the value; undefined if something is between it and the next one. */
  value(): string | undefined {
    return this.valueAround(true) ?? this.valueAround(false);
  }

  /** `hasCalls`: whether it may contain whole calls. */
  private valueAround(hasCalls: boolean): string | undefined {
    const tag = new RegExp(valueTags, 'g');
    tag.lastIndex = this.at;
    let calls = 0;
    let values = 0;
    for (let found = tag.exec(this.text); found; found = tag.exec(this.text)) {
      const [token, isEnd] = found;
      if (token.startsWith('<tool_call>')) calls += hasCalls ? 1 : 0;
      else if (token.startsWith('</function>')) calls = Math.max(0, calls - 1);
      else if (calls > 0) continue;
      else if (token === '<parameter=') {
        if (values < 0) return undefined;
        ++values;
      } else if (isEnd === undefined) --values;
      else {
        const inside = this.text.slice(this.at, found.index);
        this.at = found.index + valueEnd.length;
        return inside;
      }
    }
    return undefined;
  }

  closesFunction(): boolean {
    const tag = /\s*<\/function>/y;
    tag.lastIndex = this.at;
    const closes = tag.test(this.text);
    if (closes) this.at = tag.lastIndex;
    return closes;
  }

  /** The text that was not read yet. */
  get rest(): string {
    return this.text.slice(this.at);
  }

  get atEnd(): boolean {
    return this.rest.trim() === '';
  }
}

/** The types of a tool's arguments; none for those that the schema does not have. */
export function typesOf(name: string, tools: readonly ToolDefinition[]): (key: string) => readonly string[] {
  const parameters = (tools.map(definitionOf).find((tool) => tool.name === name)?.parameters ?? {}) as Record<
    string,
    unknown
  >;
  const properties = (isA(parameters.properties, 'Object') ? parameters.properties : parameters) as Record<
    string,
    unknown
  >;
  return (key) => (Object.hasOwn(properties, key) ? typesIn(properties[key], parameters) : []);
}

const isInteger = /^\s*[-+]?\d+(_\d+)*\s*$/;
const isNumber = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;

const numberOf = (text: string, { exact }: CallReading): number | bigint =>
  exact && isInteger.test(text) ? exactInteger(BigInt(text.trim().replace('+', ''))) : Number(text);

/** The value of the text between the tags, without a line break at either end. */
export const valueOfXml = (text: string, reading: CallReading, types: readonly string[]): unknown =>
  readValue(text.replace(/^\n/, '').replace(/\n$/, ''), reading, types);

const isText = /^(string|str|text|varchar|char|enum)$/;
const isCount = /^(u?int|long|short|unsigned)/;
const isFraction = /^(num|float)/;
const isTruth = /^(boolean|bool|binary)$/;

/** The value of a text that is of such a type; undefined if it is not. */
const readers: readonly [RegExp, (text: string, reading: CallReading) => unknown][] = [
  [isTruth, (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined)],
  [isCount, (text, reading) => (isInteger.test(text) ? numberOf(text.replaceAll('_', ''), reading) : undefined)],
  [isFraction, (text, reading) => (isNumber.test(text) ? numberOf(text, reading) : undefined)],
  [/^(object$|dict)/, (text, reading) => ofKind(valueOfJson(text, reading), 'Object')],
  [/^(array$|arr$|list)/, (text, reading) => ofKind(valueOfJson(text, reading), 'Array')],
];

const ofKind = (value: unknown, kind: 'Object' | 'Array') => (isA(value, kind) ? value : undefined);

/**
 * The first type in the order of `readers` counts. A value of none of its types stays a text, but what is not a boolean
 * is false.
 */
function readValue(text: string, reading: CallReading, types: readonly string[]): unknown {
  if (text.toLowerCase() === 'null') return null;
  const has = (kind: RegExp) => types.some((type) => kind.test(type));
  for (const [kind, read] of readers) {
    const value = has(kind) ? read(text, reading) : undefined;
    if (value !== undefined) return value;
  }
  if (types.length === 0 || has(isText) || has(isCount) || has(isFraction)) return text;
  if (types.length === 1 && has(isTruth)) return false;
  const literal = literalOfPython(text, reading);
  return literal === undefined ? text : literal;
}
