// Options of calls as those of `generate`, and warnings about options without effect.

import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { ToolDefinition } from '../../chat/types.js';
import type { TextGenerator } from '../../generate/text_generator.js';
import type { GenerateOptions } from '../../generate/types.js';
import { providerName } from './loadable.js';

export interface PreparedCall {
  options: GenerateOptions;
  warnings: SharedV4Warning[];
}

export function preparedCall(call: LanguageModelV4CallOptions, { contextLength }: TextGenerator): PreparedCall {
  const { options: tooled, warnings } = toolsOf(call);
  const { responseFormat: format, reasoning, providerOptions } = call;
  const jsonSchema = format?.type === 'json' ? (format.schema ?? true) : undefined;
  // All of an answer is constrained, or none of it.
  const isFree = jsonSchema === undefined || !tooled.chat;
  if (!isFree)
    warnings.push({ type: 'unsupported', feature: 'responseFormat', details: 'not possible together with tools' });
  const thinks = reasoning === undefined || reasoning === 'provider-default' ? undefined : reasoning !== 'none';
  const variables = thinks === undefined ? {} : { enable_thinking: thinks, reasoning_effort: reasoning };
  const options = {
    maxTokens: call.maxOutputTokens ?? contextLength,
    temperature: call.temperature,
    topP: call.topP,
    topK: call.topK,
    presencePenalty: call.presencePenalty,
    frequencyPenalty: call.frequencyPenalty,
    stop: call.stopSequences,
    seed: call.seed,
    signal: call.abortSignal,
    jsonSchema: isFree ? jsonSchema : undefined,
    toolChoice: tooled.toolChoice,
    ...providerOptions?.[providerName],
    chat: { ...tooled.chat, variables },
  };
  return { options: given(options), warnings };
}

/** An option that is undefined is not given. */
const given = (options: object): GenerateOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

function toolsOf({ tools = [], toolChoice }: LanguageModelV4CallOptions): PreparedCall {
  const definitions: ToolDefinition[] = [];
  const warnings: SharedV4Warning[] = [];
  for (const tool of tools) {
    if (tool.type === 'function') {
      const { name, description, inputSchema: parameters } = tool;
      definitions.push({ name, parameters, ...(description !== undefined && { description }) });
    } else {
      warnings.push({
        type: 'unsupported',
        feature: `tool ${tool.id}`,
        details: 'provider-defined tools are not supported',
      });
    }
  }
  if (definitions.length === 0) return { options: {}, warnings };
  const choice = toolChoice?.type === 'tool' ? { name: toolChoice.toolName } : toolChoice?.type;
  return { options: { chat: { tools: definitions }, ...(choice !== undefined && { toolChoice: choice }) }, warnings };
}
