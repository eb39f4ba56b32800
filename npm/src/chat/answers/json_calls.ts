// Calls of tools that models write as JSON.

import { isA } from '../../base/values.js';
import type { ToolCall } from '../types.js';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** { name, arguments } with the arguments as an object or as JSON of one; Llama calls them parameters. */
function callOf(value: unknown): ToolCall | undefined {
  if (!isA(value, 'Object')) return undefined;
  const { name, id, arguments: own, parameters } = value as Record<string, unknown>;
  const given = own ?? parameters ?? {};
  const args = typeof given === 'string' ? parsed(given) : given;
  if (typeof name !== 'string' || !name || !isA(args, 'Object')) return undefined;
  return { ...(typeof id === 'string' && { id }), name, arguments: args as Record<string, unknown> };
}

function all(values: readonly unknown[]): ToolCall[] | undefined {
  const calls = values.map(callOf);
  return calls.length > 0 && calls.every((call) => call !== undefined) ? (calls as ToolCall[]) : undefined;
}

/** One call, a list of calls, or several after semicolons. */
export function callsOfJson(text: string): ToolCall[] | undefined {
  const value = parsed(text);
  if (Array.isArray(value)) return all(value);
  if (value !== undefined) return all([value]);
  const parts = text.split(/;\s*(?=\{)/);
  return parts.length > 1 ? all(parts.map(parsed)) : undefined;
}

/** A list of calls or, since 2025, each as name[ARGS]{…}, name[CALL_ID]id[ARGS]{…}. */
export function callsOfMistral(text: string): ToolCall[] | undefined {
  if (!text.includes('[ARGS]')) return callsOfJson(text);
  const calls = text.split('[TOOL_CALLS]').map((part) => {
    const found = /^\s*([\w.-]+)(?:\[CALL_ID\](\w+))?\[ARGS\]([^]*)$/.exec(part);
    return found && { name: found[1], id: found[2], arguments: parsed(found[3]!) };
  });
  return all(calls);
}

const deepSeekCall = /<｜tool▁call▁begin｜>function<｜tool▁sep｜>([^\n]+)\n```json\n([^]*?)\n```\s*<｜tool▁call▁end｜>/g;

export function callsOfDeepSeek(text: string): ToolCall[] | undefined {
  const found = [...text.matchAll(deepSeekCall)];
  const left = text.replace(deepSeekCall, '').trim();
  return left === '' ? all(found.map(([, name, json]) => ({ name: name!.trim(), arguments: parsed(json!) }))) : undefined;
}
