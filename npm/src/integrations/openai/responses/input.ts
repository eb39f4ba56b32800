// The input of a response as a conversation: messages, calls of tools, and their results
// (https://platform.openai.com/docs/api-reference/responses/create).

import { oneOf } from '../../../base/values.js';
import type { ChatMessage } from '../../../chat/types.js';
import { invalidField, unsupportedField } from '../api_error.js';
import { argumentsOf, textContent } from '../chat/messages.js';
import { anything, type FieldRules, Fields, text } from '../fields.js';

const role = oneOf('system', 'developer', 'user', 'assistant');
const texts = ['input_text', 'output_text', 'text'];

export function conversationOf(input: unknown, instructions: string | undefined): ChatMessage[] {
  const messages: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  if (!Array.isArray(input)) throw invalidField('input', 'a string or an array of items');
  for (const [i, item] of input.entries()) {
    const { type = 'message' } = Object(item);
    if (!Object.hasOwn(items, type))
      throw unsupportedField(`input[${i}].type`, `, unless it is one of ${Object.keys(items)}`);
    const [rules, add] = items[type]!;
    add(messages, new Fields(item, { id: text, status: text, type: text, ...rules }, `input[${i}]`));
  }
  return messages;
}

/**
 * The message of the assistant that an item belongs to: the parts of one answer, thoughts, text and calls, are one
 * message.
 */
function answerIn(messages: ChatMessage[]): ChatMessage {
  if (messages.at(-1)?.role !== 'assistant') messages.push({ role: 'assistant' });
  return messages.at(-1)!;
}

const contentOf = (fields: Fields, name: string) => textContent(fields.require(name), fields.pathOf(name), texts);

/** Items by their type: their fields, and what they add to a conversation. */
const items: Record<string, readonly [rules: FieldRules, add: (messages: ChatMessage[], fields: Fields) => void]> = {
  message: [
    { role, content: anything, phase: text },
    (messages, fields) => {
      const isAnswer = fields.require('role') === 'assistant';
      const message: ChatMessage = isAnswer ? answerIn(messages) : { role: fields.require<string>('role') };
      message.content = (message.content ?? '') + contentOf(fields, 'content');
      if (!isAnswer) messages.push(message);
    },
  ],
  reasoning: [
    { summary: anything, content: anything, encrypted_content: text },
    (messages, fields) => {
      const content = fields.get('content') ?? [];
      answerIn(messages).reasoning = textContent(content, fields.pathOf('content'), ['reasoning_text']);
    },
  ],
  function_call: [
    { call_id: text, name: text, arguments: text },
    (messages, fields) => {
      const call = { id: fields.require<string>('call_id'), name: fields.require<string>('name') };
      (answerIn(messages).toolCalls ??= []).push({ ...call, arguments: argumentsOf(fields) });
    },
  ],
  function_call_output: [
    { call_id: text, output: anything },
    (messages, fields) => {
      messages.push({ role: 'tool', toolCallId: fields.require('call_id'), content: contentOf(fields, 'output') });
    },
  ],
};
