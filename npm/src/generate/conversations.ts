// Conversations with a text generator: how they are written, and how answers are read. Loaded with the first one.

import { lazyPart } from '../base/lazy_part.js';
import { AnswerReader, type AnswerParts } from '../chat/answers/reader.js';
import { hasTools, markersOf, thinkingOf } from '../chat/answers/style.js';
import { Chat } from '../chat/chat.js';
import type { AppliedChatTemplate, ChatTemplateOptions, FormattedChat } from '../chat/types.js';
import type { GrammarText } from '../grammar/source.js';
import type { GeneratorBackend } from './calls.js';
import type { Conversation } from './options.js';
import type { Token } from './types.js';

/** Only conversations with tools need these. */
const calling = lazyPart(() => import('../chat/answers/formats.js'), 'callFormatOf');
const forcing = lazyPart(() => import('./forced_calls.js'), 'forcedTools');

/** The chat templates of a model are fetched once. */
const chats = new WeakMap<GeneratorBackend, Chat>();

async function chatOf(backend: GeneratorBackend): Promise<Chat> {
  let chat = chats.get(backend);
  if (!chat) {
    chat = new Chat(await backend.call('chat', []));
    chats.set(backend, chat);
  }
  return chat;
}

export async function applyChatTemplate(backend: GeneratorBackend, { messages, options }: Conversation): Promise<AppliedChatTemplate> {
  const formatted = await (await chatOf(backend)).formatAsync(messages, options, 'applyChatTemplate');
  return { text: formatted.text, ids: await backend.call('encodeChat', [formatted]) };
}

/** What a conversation becomes: a prompt, and a filter for the tokens of the answer. */
export interface Exchange {
  chat: FormattedChat;
  answer: Answer | undefined;
  /** Of an answer that must call a tool. */
  grammar?: GrammarText;
}

/** `constrained`: the answer has a form of its own, in which there are neither thoughts nor calls. */
export async function exchangeOf(
  backend: GeneratorBackend,
  conversation: Conversation,
  constrained: boolean,
): Promise<Exchange> {
  const { messages, toolChoice, largeIntegers } = conversation;
  const forced = toolChoice === undefined ? undefined : (await forcing()).forcedTools(conversation, constrained);
  const { tools: _tools, ...withoutTools } = conversation.options;
  const options: ChatTemplateOptions = toolChoice === 'none' ? withoutTools : conversation.options;
  const { tools = [], variables } = options;
  const chat = await chatOf(backend);
  const formatted = await chat.formatAsync(messages, options);
  if (constrained) return { chat: formatted, answer: undefined };
  const template = chat.source(options);
  const calls = hasTools(options) ? (await calling()).callFormatOf(template, tools.length > 0 ? {} : variables) : undefined;
  const reading = { tools, exact: largeIntegers === 'bigint' };
  const style = { ...thinkingOf(template, formatted.text), ...(forced && { thinks: false, startsThinking: false }), calls, reading };
  if (!forced && !style.thinks && !calls) return { chat: formatted, answer: undefined };
  const special = await specialTokens(backend, markersOf(style));
  const answer = new Answer(new AnswerReader(style, special.values()), special);
  return { chat: formatted, answer, ...(forced && { grammar: (await forcing()).grammarOfCall(forced, calls, special) }) };
}

/** Those of the texts that are special tokens, by their ids: the generation has no text for them. */
async function specialTokens(backend: GeneratorBackend, texts: readonly string[]): Promise<Map<number, string>> {
  const special = new Map<number, string>();
  for (const text of texts) {
    const [id, ...others] = await backend.call('encodeChat', [{ text, changes: new Uint32Array() }]);
    if (id === undefined || others.length > 0) continue;
    if ((await backend.call('detokenize', [Int32Array.of(id)])) === '') special.set(id, text);
  }
  return special;
}

/** The tokens of an answer without what the model thinks and which tools it calls. */
export class Answer {
  constructor(
    private readonly reader: AnswerReader,
    private readonly special: ReadonlyMap<number, string>,
  ) {}

  filter(token: Token): Token {
    return { ...token, text: this.reader.push(token.text, this.special.get(token.id)) };
  }

  /** The text that was held back. */
  rest(): string {
    return this.reader.finish();
  }

  parts(): AnswerParts {
    return this.reader.parts();
  }
}
