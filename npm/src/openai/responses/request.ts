// What a response is asked for.

import type { ChatMessage } from '../../chat/types.js';
import type { GenerateOptions } from '../../generate/types.js';
import { efforts, effortVariables } from '../chat/request.js';
import { anything, boolean, type Fields, list, object, readFields, required, text } from '../fields.js';
import { checkForm, formOf } from '../form.js';
import { identification, maxTokens, samplingOf, samplingRules } from '../sampling.js';
import { responseTools, toolOptions } from '../tools.js';
import { conversationOf } from './input.js';

const nothing = ['an empty array', (value: unknown) => Array.isArray(value) && value.length === 0] as const;

const rules = {
  ...samplingRules,
  ...identification,
  // Services keep responses unless told not to. Here nothing is kept, so only asking for one that was is an error.
  store: boolean,
  model: text,
  input: anything,
  instructions: text,
  max_output_tokens: maxTokens,
  stream: boolean,
  tools: list,
  tool_choice: anything,
  parallel_tool_calls: boolean,
  text: object,
  reasoning: object,
  include: nothing,
  truncation: ["'disabled'", (value: unknown) => value === 'disabled'],
  background: ['false', (value: unknown) => value === false],
} as const;

export interface ResponseRequest {
  fields: Fields;
  messages: ChatMessage[];
  options: GenerateOptions;
  isStream: boolean;
  oneCall: boolean;
}

export function responseRequestOf(body: unknown): ResponseRequest {
  const fields = readFields(body, rules);
  const messages = conversationOf(required(fields, 'input'), fields['instructions'] as string | undefined);
  const tooled = toolOptions(responseTools((fields['tools'] as unknown[] | undefined) ?? []), fields['tool_choice']);
  const { effort } = readFields(fields['reasoning'] ?? {}, { effort: efforts, summary: text }, 'reasoning');
  const { format } = readFields(fields['text'] ?? {}, { format: object }, 'text');
  const variables = effortVariables(effort);
  const { max_output_tokens: limit } = fields;
  const options: GenerateOptions = {
    ...samplingOf(fields),
    ...(limit !== undefined && { maxTokens: limit as number }),
    ...tooled,
    ...(format !== undefined && formOf(format, 'text.format')),
    ...(variables && { chat: { ...tooled.chat, variables } }),
  };
  checkForm(options, fields['grammar'] === undefined ? 'text.format' : 'grammar');
  return {
    fields,
    messages,
    options,
    isStream: fields['stream'] === true,
    oneCall: fields['parallel_tool_calls'] === false,
  };
}
