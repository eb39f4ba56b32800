// Calls of tools that models write as JSON.

import { parseExactly } from '../../base/exact_json.js';
import { isA } from '../../base/values.js';
import { definitionOf } from '../conversation.js';
import type { ToolCall, ToolDefinition } from '../types.js';
import { literalOfPython } from './python_calls.js';
import type { CallReading, ReadCalls } from './reading.js';

/** The value of a text in JSON; undefined for everything else. */
export function valueOfJson(text: string, { exact }: CallReading): unknown {
  try {
    return exact ? parseExactly(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** { name, arguments } with the arguments as an object or as JSON of one; Llama calls them parameters. */
function callOf(value: unknown, reading: CallReading): ToolCall | undefined {
  if (!isA(value, 'Object')) return undefined;
  const { name, id, arguments: own, parameters } = value as Record<string, unknown>;
  return namedCall(name, id, own ?? parameters ?? {}, reading);
}

function namedCall(name: unknown, id: unknown, given: unknown, reading: CallReading): ToolCall | undefined {
  const args = typeof given === 'string' ? valueOfJson(given, reading) : given;
  if (typeof name !== 'string' || !name || !isA(args, 'Object')) return undefined;
  return { ...(typeof id === 'string' && { id }), name, arguments: args as Record<string, unknown> };
}

/** Undefined if one of them is not a call. */
const all = (calls: readonly (ToolCall | undefined)[]): ToolCall[] | undefined =>
  calls.length > 0 && calls.every((call) => call !== undefined) ? (calls as ToolCall[]) : undefined;

/** The parts of a text between separators outside of JSON strings. A NUL is never part of JSON. */
function partsBetween(separator: RegExp, text: string): string[] {
  const tokens = new RegExp(`"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?|${separator.source}`, 'g');
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : '\0')).split('\0');
}

/** One value, those of a list, or several after semicolons. */
function valuesIn(text: string, reading: CallReading): unknown[] {
  const value = valueOfJson(text, reading);
  if (value !== undefined) return Array.isArray(value) ? value : [value];
  return partsBetween(/;\s*(?=\{)/, text).map((part) => valueOfJson(part, reading));
}

export const callsOfJson = (text: string, reading: CallReading): ToolCall[] | undefined =>
  all(valuesIn(text, reading).map((value) => callOf(value, reading)));

/** One call may also be a dict of Python, as the template of Falcon-H1 shows it: {'name': …, 'arguments': …}. */
export const callsOfDict = (text: string, reading: CallReading): ToolCall[] | undefined =>
  callsOfJson(text, reading) ?? all([callOf(literalOfPython(text, reading), reading)]);

/** Without a marker any JSON could be meant: a call has the name of a tool, and arguments. */
export function callsOfBareJson(text: string, reading: CallReading): ToolCall[] | undefined {
  const values = valuesIn(text, reading);
  if (values.includes(undefined)) return undefined;
  const names = namesOf(reading.tools);
  const isCall = (value: unknown) => {
    const members = Object(value) as Record<string, unknown>;
    return (
      ['parameters', 'arguments'].some((key) => Object.hasOwn(members, key)) && names.includes(members.name as string)
    );
  };
  return (values.every(isCall) && all(values.map((value) => callOf(value, reading)))) || [];
}

const namesOf = (tools: readonly ToolDefinition[]) => tools.map((tool) => definitionOf(tool).name);

/** Enough for the name of any tool, and little enough to look at it with every token. */
const openingLength = 1000;
/** Other members that a call may begin with. */
const otherOpenings = ['{"type":', '{"parameters":', '{"arguments":'];

/** Whether JSON begins like a call of one of the tools. */
export function opensBareJson(text: string, tools: readonly ToolDefinition[]): boolean | undefined {
  const packed = (json: string) => json.replace(/\s+/g, '');
  const begun = packed(text.slice(0, openingLength));
  const openings = namesOf(tools)
    .map((name) => packed(`{"name":${JSON.stringify(name)}`))
    .concat(otherOpenings);
  if (openings.some((opening) => begun.startsWith(opening))) return true;
  return openings.some((opening) => opening.startsWith(begun)) ? undefined : false;
}

const mistralCall = /^\s*([\w.-]+)(?:\[CALL_ID\](\w+))?\[ARGS\]([^]*)$/;

/** A list of calls or, since 2025, each as name[ARGS]{…}, name[CALL_ID]id[ARGS]{…}. */
export function callsOfMistral(text: string, reading: CallReading): ToolCall[] | undefined {
  if (/^[[{]/.test(text)) return callsOfJson(text, reading);
  return all(
    partsBetween(/\[TOOL_CALLS\]/, text).map((part) => {
      const [, name, id, json = ''] = mistralCall.exec(part) ?? [];
      return namedCall(name, id, valueOfJson(json, reading), reading);
    }),
  );
}

/** Calls as a name and a block of JSON, each between two markers. */
function fencedCalls(begin: string, end: string): ReadCalls {
  const call = new RegExp(`^\\s*${begin}([^\\n]+)\\n\`\`\`json\\n([^]*)\\n\`\`\`\\s*$`);
  const separator = new RegExp(end);
  return (text, reading) => {
    const parts = partsBetween(separator, text);
    if (parts.pop()!.trim() !== '') return undefined;
    return all(
      parts.map((part) => {
        const [, name, json = ''] = call.exec(part) ?? [];
        return namedCall(name?.trim(), undefined, valueOfJson(json, reading), reading);
      }),
    );
  };
}

export const callsOfDeepSeek = fencedCalls('<｜tool▁call▁begin｜>function<｜tool▁sep｜>', '<｜tool▁call▁end｜>');
export const callsOfHunyuan = fencedCalls('<tool_call>', '</tool_call>');
