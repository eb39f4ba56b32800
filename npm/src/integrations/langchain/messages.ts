// Messages of LangChain as those of a conversation.

import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import { unsupported } from '../../base/errors.js';
import type { ChatMessage } from '../../chat/types.js';

/** Roles by the types of messages. Others, such as those of ChatMessage, are their own roles. */
const roles: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
};

export function conversationOf(messages: readonly BaseMessage[]): ChatMessage[] {
  return messages.map((message): ChatMessage => {
    const role = roles[message.type] ?? (message as { role?: string }).role ?? message.type;
    const { tool_calls: calls = [], additional_kwargs: more } = message as AIMessage;
    const reasoning = more['reasoning_content'];
    return {
      role,
      content: textOf(message),
      ...(message.name !== undefined && { name: message.name }),
      ...(role === 'tool' && { toolCallId: (message as ToolMessage).tool_call_id }),
      ...(typeof reasoning === 'string' && { reasoning }),
      ...(calls.length > 0 && {
        toolCalls: calls.map(({ id, name, args }) => ({ name, arguments: args, ...(id !== undefined && { id }) })),
      }),
    };
  });
}

/** Thoughts and calls of a model are also outside the content; Anthropic's messages have them in both places. */
const besideContent: readonly string[] = ['reasoning', 'tool_call', 'tool_use'];

function textOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part['text'] as string;
      if (besideContent.includes(part.type)) return '';
      throw unsupported(`a chat model of this package takes text, not a part of type '${part.type}'`);
    })
    .join('');
}
