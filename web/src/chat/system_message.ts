// The system message of a chat, which the page shows apart from the others.

import type { Chat, ChatMessage, TextGenerator } from 'quintet';

/** Empty: the model gets none. */
export const systemOf = ({ messages: [first] }: Chat): string => (first?.role === 'system' && first.content) || '';

/** All messages but that one. */
export const spokenIn = (chat: Chat): readonly ChatMessage[] =>
  chat.messages.slice(chat.messages[0]?.role === 'system' ? 1 : 0);

export const begin = (model: TextGenerator, system: string, messages: readonly ChatMessage[] = []): Chat =>
  model.startChat({ messages, ...(system.trim() !== '' && { system }) });

/** A chat that begins with this many messages of another one. Their keys and values are shared. */
export const branchOf = (chat: Chat, count: number): Chat =>
  chat.branch(chat.messages.length - spokenIn(chat).length + count);
