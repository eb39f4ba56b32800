// Messages and tools as callers give them, in the form that chat templates expect: that of OpenAI's API.

import { inputError } from '../base/errors.js';
import { isA, typeName } from '../base/values.js';
import { toValue, valueOfJson } from './given_values.js';
import { pythonStyle, toJson } from './jinja/json.js';
import { Text, text } from './jinja/text.js';
import { Dict, type Value } from './jinja/values.js';
import type { ChatMessage, ToolCall, ToolDefinition } from './types.js';

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** The name under which templates have the assistant's reasoning. */
const reasoningNames = ['reasoning_content', 'thinking'];

const wrongType = (what: string, expected: string, given: unknown) =>
  inputError('wrong_type', `${what} must be ${expected}, not ${typeName(given)}`);

/**
 * `builtIn`: for a template that supports only some roles, and only text. A model's own template decides for itself
 * what it accepts.
 */
export function checkMessages(messages: readonly ChatMessage[], builtIn: boolean): void {
  if (!Array.isArray(messages)) throw wrongType('messages', 'an array', messages);
  messages.forEach((message: ChatMessage, i) => checkMessage(message, `message ${i}`, builtIn));
}

/** The forms in which a template expects the parts of messages. */
interface Wishes {
  knowsDeveloper: boolean;
  reasoningName: string;
  /** A message that only calls tools has None as its content, as in answers of OpenAI's API. */
  noContentIsNone: boolean;
  /** The arguments of calls are JSON text. */
  argumentsAsText: boolean;
}

/** `source`: the template. Some values are written in the form that it expects. */
export function messageValues(messages: readonly ChatMessage[], source: string, argumentsAsText: boolean): Value[] {
  const asks = (what: string) => new RegExp(`content['"]?\\]? is (not )?${what}`, 'i').test(source);
  const wishes = {
    knowsDeveloper: source.includes('developer'),
    reasoningName: reasoningNames.find((name) => new RegExp(`[.'"]${name}\\b`).test(source)) ?? reasoningNames[0]!,
    noContentIsNone: asks('none') && !asks('defined'),
    argumentsAsText,
  };
  return messages.map((message, i) => messageValue(message, `message ${i}`, wishes));
}

/** Whether a message may call tools. */
export const callsTools = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.toolCalls ?? 'tool_calls' in message);

function messageValue(message: ChatMessage, where: string, wishes: Wishes): Value {
  const { role, content, toolCalls, toolCallId, reasoning, ...others } = message;
  const value = toValue(others, where) as Dict;
  const own = new Dict();
  // A word is not a special token, but as text of the template it may be part of one, as in <|user|>.
  const known = role === 'developer' && !wishes.knowsDeveloper ? 'system' : role;
  own.set(text('role'), /^[\w-]*$/.test(known) ? text(known) : toValue(known, where));
  if (content !== undefined) own.set(text('content'), toValue(content, `${where}: content`));
  else if (wishes.noContentIsNone && callsTools([message])) own.set(text('content'), null);
  for (const [key, each] of value.entries()) own.set(key, each);
  if (reasoning !== undefined) own.set(text(wishes.reasoningName), toValue(reasoning, where));
  if (toolCallId !== undefined) own.set(text('tool_call_id'), toValue(toolCallId, where));
  if (toolCalls !== undefined)
    own.set(
      text('tool_calls'),
      toolCalls.map((call, i) => toolCallValue(call, `${where}: toolCalls[${i}]`)),
    );
  const calls = own.named('tool_calls');
  if (Array.isArray(calls)) for (const call of calls) writeArguments(call, wishes.argumentsAsText);
  return own;
}

/**
 * In OpenAI's API the arguments of a call are JSON text. Templates expect either the values, as all those of
 * transformers do, or that text.
 */
function writeArguments(call: Value, asText: boolean): void {
  const called = call instanceof Dict && call.named('function');
  const given = called instanceof Dict ? called.named('arguments') : undefined;
  const isOther = asText ? given instanceof Dict : given instanceof Text;
  const wanted = !isOther ? undefined : given instanceof Text ? valueOfJson(given.value) : toJson(given!, pythonStyle);
  if (wanted !== undefined) (called as Dict).set(text('arguments'), wanted);
}

function checkMessage(message: ChatMessage, where: string, builtIn: boolean): void {
  if (!isA(message, 'Object')) throw wrongType(where, 'an object', message);
  const { role, content } = message as { role: unknown; content?: unknown };
  if (typeof role !== 'string') throw wrongType(`${where}: the role`, 'a string', role);
  for (const name of ['toolCallId', 'reasoning'] as const) {
    const value: unknown = message[name];
    if (value !== undefined && typeof value !== 'string') throw wrongType(`${where}: ${name}`, 'a string', value);
  }
  if (message.toolCalls !== undefined && !Array.isArray(message.toolCalls))
    throw wrongType(`${where}: toolCalls`, 'an array', message.toolCalls);
  if (!builtIn) return;
  if (!roles.includes(role))
    throw inputError('out_of_range', `${where}: the role must be one of ${roles.join(', ')}, not ${role}`);
  const mayLackContent = role === 'assistant' || role === 'tool';
  if (typeof content !== 'string' && !Array.isArray(content) && ((content ?? null) !== null || !mayLackContent))
    throw wrongType(`${where}: the content`, 'a string', content);
}

function toolCallValue(call: ToolCall, where: string): Value {
  if (!isA(call, 'Object') || typeof call.name !== 'string' || !isA(call.arguments, 'Object')) {
    throw inputError('wrong_type', `${where} must be { id?, name, arguments }, with an object of arguments`);
  }
  const own = new Dict();
  if (call.id !== undefined) own.set(text('id'), toValue(call.id, where));
  own.set(text('type'), text('function'));
  own.set(
    text('function'),
    Dict.from([
      [text('name'), toValue(call.name, where)],
      [text('arguments'), toValue(call.arguments, where)],
    ]),
  );
  return own;
}

/** None without tools. */
export function toolValues(tools: readonly ToolDefinition[] | undefined, builtIn: boolean): Value {
  return tools && tools.length > 0 ? tools.map((tool, i) => toolValue(tool, `tools[${i}]`, builtIn)) : null;
}

/** A tool may also be given as OpenAI's API has it: { type: 'function', function: { name, … } }. */
export const definitionOf = (tool: ToolDefinition & { function?: ToolDefinition }): ToolDefinition =>
  isA(tool?.function, 'Object') ? tool.function! : tool;

/** The members of a function in OpenAI's API. */
const members = ['name', 'description', 'parameters', 'strict'];

/** A definition becomes a tool as OpenAI's API has it. Definitions in a template's own form stay unchanged. */
function toolValue(tool: ToolDefinition & { function?: unknown }, where: string, builtIn: boolean): Value {
  if (!isA(tool, 'Object')) throw wrongType(where, 'an object', tool);
  const isDefinition = typeof tool.name === 'string' && Object.keys(tool).every((key) => members.includes(key));
  if (builtIn && typeof definitionOf(tool as ToolDefinition).name !== 'string')
    throw inputError('wrong_type', `${where} must be an object with a name`);
  if (!isDefinition) return toValue(tool, where);
  const { name, description, parameters = { type: 'object', properties: {} }, ...others } = tool;
  const definition = { name, ...(description !== undefined && { description }), parameters, ...others };
  return Dict.from([
    [text('type'), text('function')],
    [text('function'), toValue(definition, where)],
  ]);
}

/**
 * Variables whose names end with `_token` are special tokens of the model; the values of others do not count as text of
 * the template.
 */
export function variableValues(variables: Record<string, unknown>): [string, Value][] {
  return Object.entries(variables)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, toValue(value, `variables.${name}`, name.endsWith('_token'))]);
}
