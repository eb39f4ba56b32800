// Messages and tools as callers give them, in the form that chat templates expect: that of OpenAI's API.

import { inputError } from '../base/errors.js';
import { isA, shown, typeName } from '../base/values.js';
import { valueOf } from './given_values.js';
import { text } from './jinja/text.js';
import { Dict, type Value } from './jinja/values.js';
import type { ChatMessage, ToolCall, ToolDefinition } from './types.js';

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Under which name templates know the thoughts of the assistant. */
const reasoningNames = ['reasoning_content', 'thinking'];

export function checkMessages(messages: readonly ChatMessage[]): void {
  if (!Array.isArray(messages)) throw inputError('wrong_type', `messages must be an array, not ${typeName(messages)}`);
  messages.forEach((message: ChatMessage, i) => checkMessage(message, `message ${i}`));
}

/** `source`: the template. Some things are written as it knows them. */
export function messageValues(messages: readonly ChatMessage[], source: string): Value[] {
  const knowsDeveloper = source.includes('developer');
  const reasoningName = reasoningNames.find((name) => new RegExp(`[.'"]${name}\\b`).test(source)) ?? reasoningNames[0]!;
  return messages.map((message, i) => messageValue(message, `message ${i}`, knowsDeveloper, reasoningName));
}

function messageValue(message: ChatMessage, where: string, knowsDeveloper: boolean, reasoningName: string): Value {
  const { role, content, toolCalls, toolCallId, reasoning, ...others } = message;
  const value = valueOf(others, where) as Dict;
  const own = new Dict();
  // The role is one of a few words: as text of the template it may be part of a special token, as in <|user|>.
  own.set(text('role'), text(role === 'developer' && !knowsDeveloper ? 'system' : role));
  own.set(text('content'), valueOf(content, `${where}: content`));
  for (const [key, each] of value.entries()) own.set(key, each);
  if (reasoning !== undefined) own.set(text(reasoningName), valueOf(reasoning, where));
  if (toolCallId !== undefined) own.set(text('tool_call_id'), valueOf(toolCallId, where));
  if (toolCalls !== undefined) own.set(text('tool_calls'), toolCalls.map((call, i) => toolCallValue(call, `${where}: toolCalls[${i}]`)));
  return own;
}

function checkMessage(message: ChatMessage, where: string): void {
  if (!isA(message, 'Object')) throw inputError('wrong_type', `${where} must be an object, not ${typeName(message)}`);
  if (!roles.includes(message.role)) {
    throw inputError('out_of_range', `${where}: the role must be one of ${roles.join(', ')}, not ${shown(message.role)}`);
  }
  const { content } = message as { content?: unknown };
  const mayLackContent = message.role === 'assistant' || message.role === 'tool';
  const isContent = typeof content === 'string' || Array.isArray(content) || ((content === undefined || content === null) && mayLackContent);
  if (!isContent) throw inputError('wrong_type', `${where}: the content must be a string, not ${typeName(content)}`);
  for (const name of ['name', 'toolCallId', 'reasoning'] as const) {
    const value: unknown = message[name];
    if (value !== undefined && typeof value !== 'string') throw inputError('wrong_type', `${where}: ${name} must be a string, not ${typeName(value)}`);
  }
  if (message.toolCalls !== undefined && !Array.isArray(message.toolCalls)) {
    throw inputError('wrong_type', `${where}: toolCalls must be an array, not ${typeName(message.toolCalls)}`);
  }
}

function toolCallValue(call: ToolCall, where: string): Value {
  if (!isA(call, 'Object') || typeof call.name !== 'string' || !isA(call.arguments, 'Object')) {
    throw inputError('wrong_type', `${where} must be { id?, name, arguments }, with an object of arguments`);
  }
  const own = new Dict();
  if (call.id !== undefined) own.set(text('id'), valueOf(call.id, where));
  own.set(text('type'), text('function'));
  own.set(text('function'), Dict.from([
    [text('name'), valueOf(call.name, where)],
    [text('arguments'), valueOf(call.arguments, where)],
  ]));
  return own;
}

/** Without tools, None. */
export function toolValues(tools: readonly ToolDefinition[] | undefined): Value {
  return tools && tools.length > 0 ? tools.map((tool, i) => toolValue(tool, `tools[${i}]`)) : null;
}

/** A tool may also be given as OpenAI's API has it: { type: 'function', function: { name, … } }. */
export const definitionOf = (tool: ToolDefinition & { function?: ToolDefinition }): ToolDefinition =>
  isA(tool.function, 'Object') ? tool.function! : tool;

function toolValue(tool: ToolDefinition & { function?: unknown }, where: string): Value {
  if (isA(tool, 'Object') && isA(tool.function, 'Object')) return valueOf(tool, where);
  if (!isA(tool, 'Object') || typeof tool.name !== 'string') throw inputError('wrong_type', `${where} must be an object with a name`);
  const { name, description, parameters = { type: 'object', properties: {} }, ...others } = tool;
  const definition = { name, ...(description !== undefined && { description }), parameters, ...others };
  return Dict.from([
    [text('type'), text('function')],
    [text('function'), valueOf(definition, where)],
  ]);
}

/** Variables whose names end with `_token` are special tokens of the model; what others say is no part of the template. */
export function variableValues(variables: Record<string, unknown>): [string, Value][] {
  return Object.entries(variables)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, valueOf(value, `variables.${name}`, name.endsWith('_token'))]);
}
