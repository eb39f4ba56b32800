// The messages of chat completions as those of a conversation.

import { oneOf, type Rule } from '../../../base/values.js';
import type { ChatMessage, ToolCall } from '../../../chat/types.js';
import { invalidField, unsupportedField } from '../api_error.js';
import { anything, Fields, given, list, object, text } from '../fields.js';

const common = { role: anything, content: anything, name: text };

/** The fields of a message by its role. */
const rules: Record<string, Record<string, Rule>> = {
  system: common,
  developer: common,
  user: common,
  assistant: {
    ...common,
    tool_calls: list,
    reasoning_content: text,
    // Answers have these, too, and clients send them back.
    refusal: text,
    annotations: list,
  },
  tool: { ...common, tool_call_id: text },
};

export function messagesOf(messages: unknown): ChatMessage[] {
  if (!Array.isArray(messages) || messages.length === 0) throw invalidField('messages', 'an array of messages');
  return messages.map((message, i) => messageOf(message, `messages[${i}]`));
}

function messageOf(message: unknown, path: string): ChatMessage {
  const { role } = Object(message);
  if (!Object.hasOwn(rules, role)) throw invalidField(`${path}.role`, `one of ${Object.keys(rules)}`);
  const fields = new Fields(message, rules[role]!, path);
  const calls = fields.get<unknown[]>('tool_calls');
  const content = calls ? fields.get('content') : fields.require('content');
  return given<ChatMessage>({
    role,
    content: content === undefined ? undefined : textContent(content, fields.pathOf('content')),
    name: fields.get('name'),
    toolCalls: calls?.map((call, i) => callOf(call, `${path}.tool_calls[${i}]`)),
    toolCallId: role === 'tool' ? fields.require('tool_call_id') : undefined,
    reasoning: fields.get('reasoning_content'),
  });
}

/** The text of a content: a string, or a list of texts. `types`: the types of texts in the list. */
export function textContent(content: unknown, path: string, types: readonly string[] = ['text']): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalidField(path, 'a string or an array of texts');
  const texts = content.map((part, i) => {
    const { type, text: written } = Object(part);
    if (types.includes(type) && typeof written === 'string') return written;
    throw unsupportedField(`${path}[${i}]`, ', unless it is a text');
  });
  return texts.join('');
}

const callRules = { id: text, type: oneOf('function'), function: object, index: anything };

function callOf(call: unknown, path: string): ToolCall {
  const fields = new Fields(call, callRules, path);
  const called = new Fields(fields.require('function'), { name: text, arguments: text }, fields.pathOf('function'));
  return given<ToolCall>({ id: fields.get('id'), name: called.require('name'), arguments: argumentsOf(called) });
}

/** Arguments of a call, which clients send as JSON in a string. */
export function argumentsOf(fields: Fields): Record<string, unknown> {
  try {
    // Some clients send nothing for a call without arguments.
    const value: unknown = JSON.parse(fields.get('arguments') || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw invalidField(fields.pathOf('arguments'), 'a JSON object in a string');
}
