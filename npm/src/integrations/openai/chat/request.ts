// The request for a chat completion (https://platform.openai.com/docs/api-reference/chat/create).

import { oneOf, type Rule } from '../../../base/values.js';
import type { ChatMessage } from '../../../chat/types.js';
import type { GenerateOptions } from '../../../generate/types.js';
import { unsupportedField } from '../api_error.js';
import { anything, boolean, Fields, given, integer, list, object } from '../fields.js';
import { checkForm, formOf } from '../form.js';
import { answerCount, commonRules, maxTokens, samplingOf } from '../sampling.js';
import { chatTools, toolOptions } from '../tools.js';
import { messagesOf } from './messages.js';

export const efforts = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');
const modalities: Rule = ["['text']", (value) => JSON.stringify(value) === '["text"]'];

const rules = {
  ...commonRules,
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
  thinking_budget_tokens: integer(0, Number.MAX_SAFE_INTEGER),
  chat_template_kwargs: object,
  modalities,
};

export interface ChatRequest {
  fields: Fields;
  messages: ChatMessage[];
  options: GenerateOptions;
}

export function chatRequestOf(body: unknown): ChatRequest {
  const fields = new Fields(body, rules);
  const messages = messagesOf(fields.get('messages'));
  const options = optionsOf(fields, {
    tools: toolOptions(chatTools(fields.get('tools') ?? []), fields),
    jsonSchema: formOf(fields.get('response_format'), 'response_format'),
    variables: { ...effortVariables(fields.get('reasoning_effort')), ...fields.get<object>('chat_template_kwargs') },
    maxTokens: fields.get('max_completion_tokens') ?? fields.get('max_tokens'),
  });
  checkForm(options, 'response_format');
  const logprobs = fields.isTrue('logprobs') ? (fields.get<number>('top_logprobs') ?? 0) : undefined;
  if (logprobs === undefined && fields.get('top_logprobs') !== undefined)
    throw unsupportedField('top_logprobs', " without 'logprobs'");
  const reasoningBudget = fields.get<number>('thinking_budget_tokens');
  return { fields, messages, options: { ...options, ...given<GenerateOptions>({ logprobs, reasoningBudget }) } };
}

/** Options that chat completions and responses request under different names. */
interface AskedOptions {
  tools: Pick<GenerateOptions, 'chat' | 'toolChoice'>;
  jsonSchema: GenerateOptions['jsonSchema'];
  /** Passed to the chat template. */
  variables: Record<string, unknown>;
  maxTokens: number | undefined;
}

export const optionsOf = (
  fields: Fields,
  { tools, jsonSchema, variables, maxTokens: limit }: AskedOptions,
): GenerateOptions => ({
  ...samplingOf(fields),
  ...tools,
  ...given<GenerateOptions>({ jsonSchema, maxTokens: limit }),
  chat: { ...tools.chat, variables },
});

/** Chat templates that support thinking read these names. */
export const effortVariables = (effort: unknown): Record<string, unknown> =>
  effort === undefined ? {} : { enable_thinking: effort !== 'none', reasoning_effort: effort };

/** Padding, which hides the sizes of encrypted events, is not made. */
const streamRules = { include_usage: boolean, include_obfuscation: oneOf(false) };

/** Whether the last event of a stream reports usage. */
export function usageInStream(fields: Fields): boolean {
  const options = fields.get('stream_options');
  if (options === undefined) return false;
  if (!fields.isTrue('stream')) throw unsupportedField('stream_options', " without 'stream'");
  return new Fields(options, streamRules, 'stream_options').isTrue('include_usage');
}
