// Calls of tools that Qwen3-Coder writes, values as plain text between tags: <function=f><parameter=x>…</parameter></function>.
// What type a value has, the tool's schema tells, in the way of Qwen's own parser:
// https://huggingface.co/Qwen/Qwen3-Coder-30B-A3B-Instruct, qwen3coder_tool_parser.py (in vLLM too).

import { isA } from '../../base/values.js';
import { definitionOf } from '../conversation.js';
import type { ToolCall, ToolDefinition } from '../types.js';
import { literalOfPython } from './python_calls.js';

/** One call, or several. Without an end of its own, a value or a call is none. */
export function callsOfXml(text: string, tools: readonly ToolDefinition[]): ToolCall[] | undefined {
  const tags = new Tags(text);
  const calls: ToolCall[] = [];
  for (let name = tags.opened('function'); name !== undefined; name = tags.opened('function')) {
    const values: [string, unknown][] = [];
    const typeOf = typesOf(name, tools);
    for (let key = tags.opened('parameter'); key !== undefined; key = tags.opened('parameter')) {
      const value = tags.textBefore('</parameter>');
      if (value === undefined) return undefined;
      values.push([key, valueOf(value.replace(/^\n/, '').replace(/\n$/, ''), typeOf(key))]);
    }
    if (tags.textBefore('</function>')?.trim() !== '') return undefined;
    calls.push({ name, arguments: Object.fromEntries(values) });
  }
  return calls.length > 0 && tags.atEnd ? calls : undefined;
}

class Tags {
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

  textBefore(end: string): string | undefined {
    const found = this.text.indexOf(end, this.at);
    if (found < 0) return undefined;
    const inside = this.text.slice(this.at, found);
    this.at = found + end.length;
    return inside;
  }

  get atEnd(): boolean {
    return this.text.slice(this.at).trim() === '';
  }
}

/** The types of a tool's arguments; undefined for those that it does not know. */
function typesOf(name: string, tools: readonly ToolDefinition[]): (key: string) => string | undefined {
  const parameters = (tools.map(definitionOf).find((tool) => tool.name === name)?.parameters ?? {}) as Record<string, unknown>;
  const properties = (isA(parameters.properties, 'Object') ? parameters.properties : parameters) as Record<string, unknown>;
  return (key) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const type = isA(schema, 'Object') ? (schema as Record<string, unknown>).type : undefined;
    return type === undefined ? undefined : String(type).trim().toLowerCase();
  };
}

const isInteger = /^\s*[-+]?\d+(_\d+)*\s*$/;
const isNumber = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;

/** A value that is not of its type stays a text, but what is no boolean is false. */
function valueOf(text: string, type = 'string'): unknown {
  if (text.toLowerCase() === 'null') return null;
  if (/^(string|str|text|varchar|char|enum)$/.test(type)) return text;
  if (/^(u?int|long|short|unsigned)/.test(type)) return isInteger.test(text) ? Number(text.replaceAll('_', '')) : text;
  if (/^(num|float)/.test(type)) return isNumber.test(text) ? Number(text) : text;
  if (/^(boolean|bool|binary)$/.test(type)) return text.toLowerCase() === 'true';
  if (/^(object$|array$|arr$|dict|list)/.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      // It may be Python.
    }
  }
  const literal = literalOfPython(text);
  return literal === undefined ? text : literal;
}
