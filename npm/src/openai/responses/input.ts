// The input of a response as a conversation: messages, calls of tools, and their results
// (https://platform.openai.com/docs/api-reference/responses/create).

import type { ChatMessage } from '../../chat/types.js';
import { invalidField, unsupportedField } from '../api_error.js';
import { argumentsOf, textContent } from '../chat/messages.js';
import { anything, type Fields, readFields, required, text } from '../fields.js';

const roles = ['system', 'developer', 'user', 'assistant'];
const texts = ['input_text', 'output_text', 'text'];

/** Ids and states of items that a client sends back. */
const state = { id: text, status: text, type: text };

export function conversationOf(input: unknown, instructions: string | undefined): ChatMessage[] {
  const messages: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  if (!Array.isArray(input)) throw invalidField('input', "'input' must be a string or an array of items");
  const reader = new ItemReader(messages);
  for (const [i, item] of input.entries()) reader.read(item, `input[${i}]`);
  return messages;
}

/** Items of one answer of the model, its thoughts, text and calls, become one message. */
class ItemReader {
  constructor(private readonly messages: ChatMessage[]) {}

  read(item: unknown, path: string): void {
    const { type = 'message' } = Object(item) as Fields;
    const read = Object.hasOwn(items, type as string) ? items[type as string] : undefined;
    if (!read) {
      throw unsupportedField(`${path}.type`, `'${path}.type' must be one of ${Object.keys(items).join(', ')}`);
    }
    read(this, item, path);
  }

  add(message: ChatMessage): void {
    this.messages.push(message);
  }

  /** The message of the assistant that the next parts of its answer belong to. */
  answer(): ChatMessage {
    const last = this.messages.at(-1);
    if (last?.role === 'assistant') return last;
    const message: ChatMessage = { role: 'assistant' };
    this.messages.push(message);
    return message;
  }
}

const items: Record<string, (reader: ItemReader, item: unknown, path: string) => void> = {
  message(reader, item, path) {
    const fields = readFields(item, { ...state, role: text, content: anything, phase: text }, path);
    const role = required<string>(fields, 'role', `${path}.role`);
    if (!roles.includes(role)) throw invalidField(`${path}.role`, `'${path}.role' must be one of ${roles.join(', ')}`);
    const content = textContent(required(fields, 'content', `${path}.content`), `${path}.content`, texts);
    if (role !== 'assistant') return reader.add({ role, content });
    const answer = reader.answer();
    answer.content = (answer.content ?? '') + content;
  },
  reasoning(reader, item, path) {
    const fields = readFields(item, { ...state, summary: anything, content: anything, encrypted_content: text }, path);
    const { content = [] } = fields;
    reader.answer().reasoning = textContent(content, `${path}.content`, ['reasoning_text']);
  },
  function_call(reader, item, path) {
    const fields = readFields(item, { ...state, call_id: text, name: text, arguments: text }, path);
    const answer = reader.answer();
    answer.toolCalls = [
      ...(answer.toolCalls ?? []),
      {
        id: required<string>(fields, 'call_id', `${path}.call_id`),
        name: required<string>(fields, 'name', `${path}.name`),
        arguments: argumentsOf(required(fields, 'arguments', `${path}.arguments`), `${path}.arguments`),
      },
    ];
  },
  function_call_output(reader, item, path) {
    const fields = readFields(item, { ...state, call_id: text, output: anything }, path);
    reader.add({
      role: 'tool',
      toolCallId: required(fields, 'call_id', `${path}.call_id`),
      content: textContent(required(fields, 'output', `${path}.output`), `${path}.output`, texts),
    });
  },
};
