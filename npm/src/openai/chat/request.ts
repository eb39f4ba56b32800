// What a chat completion asks for (https://platform.openai.com/docs/api-reference/chat/create).

import { oneOf } from '../../base/values.js';
import type { ChatMessage } from '../../chat/types.js';
import type { GenerateOptions } from '../../generate/types.js';
import { invalidField } from '../api_error.js';
import { anything, boolean, type Fields, integer, list, object, readFields, text } from '../fields.js';
import { checkForm, formOf } from '../form.js';
import { answerCount, identification, maxTokens, samplingOf, samplingRules } from '../sampling.js';
import { chatTools, toolOptions } from '../tools.js';
import { messagesOf } from './messages.js';

export const efforts = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');

const rules = {
  ...samplingRules,
  ...identification,
  model: text,
  messages: anything,
  max_tokens: maxTokens,
  max_completion_tokens: maxTokens,
  n: answerCount,
  stream: boolean,
  stream_options: object,
  logprobs: boolean,
  top_logprobs: integer(0, 20),
  tools: list,
  tool_choice: anything,
  parallel_tool_calls: boolean,
  response_format: object,
  reasoning_effort: efforts,
  chat_template_kwargs: object,
  modalities: ["['text']", (value: unknown) => JSON.stringify(value) === '["text"]'],
} as const;

export interface ChatRequest {
  fields: Fields;
  messages: ChatMessage[];
  options: GenerateOptions;
  /** Number of answers. */
  count: number;
  /** Whether the last event of a stream says what was used. */
  withUsage: boolean;
  oneCall: boolean;
}

export function chatRequestOf(body: unknown): ChatRequest {
  const fields = readFields(body, rules);
  const messages = messagesOf(fields['messages']);
  const tooled = toolOptions(chatTools((fields['tools'] as unknown[] | undefined) ?? []), fields['tool_choice']);
  const variables = templateVariables(fields);
  const limit = fields['max_completion_tokens'] ?? fields['max_tokens'];
  const options: GenerateOptions = {
    ...samplingOf(fields),
    ...(limit !== undefined && { maxTokens: limit as number }),
    ...tooled,
    ...logprobsOf(fields),
    ...(fields['response_format'] !== undefined && formOf(fields['response_format'], 'response_format')),
    ...(variables && { chat: { ...tooled.chat, variables } }),
  };
  checkForm(options, fields['grammar'] === undefined ? 'response_format' : 'grammar');
  return {
    fields,
    messages,
    options,
    count: (fields['n'] as number | undefined) ?? 1,
    withUsage: usageInStream(fields),
    oneCall: fields['parallel_tool_calls'] === false,
  };
}

/** Chat templates that know of thinking read these names. */
export function effortVariables(effort: unknown): Record<string, unknown> | undefined {
  return effort === undefined ? undefined : { enable_thinking: effort !== 'none', reasoning_effort: effort };
}

function templateVariables({ reasoning_effort: effort, chat_template_kwargs: given }: Fields) {
  return effort === undefined && given === undefined
    ? undefined
    : { ...effortVariables(effort), ...(given as object | undefined) };
}

function logprobsOf({ logprobs, top_logprobs: top }: Fields): Pick<GenerateOptions, 'logprobs'> {
  if (logprobs === true) return { logprobs: (top as number | undefined) ?? 0 };
  if (top === undefined) return {};
  throw invalidField('top_logprobs', "'top_logprobs' needs 'logprobs' to be true");
}

/** Padding against guessing texts from the sizes of encrypted events is not made here. */
const streamRules = {
  include_usage: boolean,
  include_obfuscation: ['false', (value: unknown) => value === false],
} as const;

export function usageInStream({ stream, stream_options: options }: Fields): boolean {
  if (options === undefined) return false;
  if (stream !== true) throw invalidField('stream_options', "'stream_options' needs 'stream' to be true");
  return readFields(options, streamRules, 'stream_options')['include_usage'] === true;
}
