// Prompts of the AI SDK as conversations.

import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { unsupported } from '../../base/errors.js';
import type { ChatMessage, ToolCall } from '../../chat/types.js';

export const conversationOf = (prompt: LanguageModelV4Prompt): ChatMessage[] => prompt.flatMap(messagesOf);

type Part = Exclude<LanguageModelV4Message['content'], string>[number];

function messagesOf({ role, content }: LanguageModelV4Message): ChatMessage[] {
  if (role === 'system') return [{ role, content }];
  if (role === 'tool') return (content as readonly Part[]).map(resultOf);
  const parts = content as readonly Part[];
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const toolCalls = parts.flatMap((part): ToolCall[] =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input as Record<string, unknown> }]
      : [],
  );
  return [
    {
      role,
      content: parts.map(textOf).join(''),
      ...(reasoning.length > 0 && { reasoning: reasoning.join('') }),
      ...(toolCalls.length > 0 && { toolCalls }),
    },
  ];
}

function textOf(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'reasoning' || part.type === 'tool-call') return '';
  throw unsupported(`a language model of this package takes text and tool calls, not a part of type '${part.type}'`);
}

function resultOf(part: Part): ChatMessage {
  if (part.type !== 'tool-result') throw unsupported(`a tool message takes results, not a part of type '${part.type}'`);
  return { role: 'tool', name: part.toolName, toolCallId: part.toolCallId, content: outputText(part.output) };
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'the call was not allowed';
    case 'content':
      return output.value
        .map((part) => {
          if (part.type === 'text') return part.text;
          throw unsupported(`a tool result takes texts, not a part of type '${part.type}'`);
        })
        .join('');
  }
}
