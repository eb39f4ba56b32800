// The messages of chat completions as those of a conversation.

import type { Rule } from '../../base/values.js';
import type { ChatMessage, ToolCall } from '../../chat/types.js';
import { invalidField, unsupportedField } from '../api_error.js';
import { anything, type Fields, list, object, readFields, required, text } from '../fields.js';

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
    // What answers of this package and of OpenAI have besides, which clients send back.
    refusal: text,
    annotations: list,
  },
  tool: { ...common, tool_call_id: text },
};

export function messagesOf(messages: unknown): ChatMessage[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalidField('messages', "'messages' must be an array with at least one message");
  }
  return messages.map((message, i) => messageOf(message, `messages[${i}]`));
}

function messageOf(message: unknown, path: string): ChatMessage {
  const role = (message as Fields | null)?.['role'];
  if (typeof role !== 'string' || !Object.hasOwn(rules, role)) {
    throw invalidField(`${path}.role`, `'${path}.role' must be one of ${Object.keys(rules).join(', ')}`);
  }
  const fields = readFields(message, rules[role]!, path);
  const { name, tool_calls: calls, tool_call_id: answered, reasoning_content: reasoning } = fields;
  if (fields['content'] === undefined && !calls) required(fields, 'content', `${path}.content`);
  return {
    role,
    ...(fields['content'] !== undefined && { content: textContent(fields['content'], `${path}.content`) }),
    ...(name !== undefined && { name: name as string }),
    ...(calls !== undefined && {
      toolCalls: (calls as unknown[]).map((call, i) => callOf(call, `${path}.tool_calls[${i}]`)),
    }),
    ...(role === 'tool' && { toolCallId: required<string>(fields, 'tool_call_id', `${path}.tool_call_id`) }),
    ...(answered !== undefined && { toolCallId: answered as string }),
    ...(reasoning !== undefined && { reasoning: reasoning as string }),
  };
}

/** The text of a content: a string, or a list of texts. `types`: what texts in the list are called. */
export function textContent(content: unknown, path: string, types: readonly string[] = ['text']): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalidField(path, `'${path}' must be a string or an array of parts`);
  const texts = content.map((part: Fields | null, i) => {
    const type = part?.['type'];
    if (types.includes(type as string) && typeof part!['text'] === 'string') return part!['text'];
    throw unsupportedField(`${path}[${i}]`, `'${path}[${i}]' must be a text: other parts are not supported`);
  });
  return texts.join('');
}

function callOf(call: unknown, path: string): ToolCall {
  const fields = readFields(
    call,
    { id: text, type: ["'function'", (type) => type === 'function'], function: object, index: anything },
    path,
  );
  const { name, arguments: written = '{}' } = readFields(
    required(fields, 'function', `${path}.function`),
    { name: text, arguments: text },
    `${path}.function`,
  );
  if (name === undefined) throw invalidField(`${path}.function.name`, `'${path}.function.name' is missing`);
  return {
    ...(fields['id'] !== undefined && { id: fields['id'] as string }),
    name: name as string,
    arguments: argumentsOf(written as string, `${path}.function.arguments`),
  };
}

/** Arguments of a call, which clients send as JSON in a string. */
export function argumentsOf(written: string, path: string): Record<string, unknown> {
  try {
    // Some clients send nothing for a call without arguments.
    const value: unknown = JSON.parse(written || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw invalidField(path, `'${path}' must be a JSON object in a string`);
}
