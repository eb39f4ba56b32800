// Conversations with a text generator: its chat templates are fetched from the host and kept for the next turn.

import { lazyPart } from '../base/lazy_part.js';
import type { Chat } from '../chat/chat.js';
import type { AppliedChatTemplate, FormattedChat } from '../chat/types.js';
import type { GeneratorBackend } from './calls.js';
import type { Conversation } from './options.js';

/** Loaded with the first conversation. */
const chatting = lazyPart(() => import('../chat/chat.js'), 'Chat');
const known = new WeakMap<GeneratorBackend, Chat>();

/** `where`: what the options are given to, for messages. */
export async function format(backend: GeneratorBackend, { messages, options }: Conversation, where: string): Promise<FormattedChat> {
  let chat = known.get(backend);
  if (!chat) {
    const { Chat } = await chatting();
    chat = new Chat(await backend.call('chat', []));
    known.set(backend, chat);
  }
  return chat.format(messages, options, where);
}

export async function applyChatTemplate(backend: GeneratorBackend, conversation: Conversation): Promise<AppliedChatTemplate> {
  const chat = await format(backend, conversation, 'applyChatTemplate');
  return { text: chat.text, ids: await backend.call('encodeChat', [chat]) };
}
