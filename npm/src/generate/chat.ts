// A conversation with a text generator. How a turn is taken is loaded with the first one.

import { CallQueue } from '../base/call_queue.js';
import { Disposable } from '../base/disposable.js';
import { inputError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { integer } from '../base/rules.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, isA } from '../base/values.js';
import type { ChatMessage, ChatTemplateOptions, ToolDefinition } from '../chat/types.js';
import type { GeneratorBackend } from './calls.js';
import type { Chat, ChatOptions, ChatSettings, ChatTool, SentMessages } from './chat_types.js';
import { type TokenQueue, TokenStream } from './generation.js';
import { conversationOf, generateRules } from './options.js';
import { GeneratorSession } from './session.js';
import type { GenerateOptions, Generation } from './types.js';

const turns = lazyPart(() => import('./chat_turn.js'), 'takeTurn');
const files = lazyPart(() => import('./chat_file.js'), 'saveChat');

const { chat: _chat, ...optionsOfAnswers } = generateRules;
const chatRules = {
  ...optionsOfAnswers,
  system: ['a string', (value: unknown) => typeof value === 'string'],
  messages: ['an array', Array.isArray],
  tools: ['an array', Array.isArray],
  maxRounds: integer(0, 1000),
  template: ['a string', (value: unknown) => typeof value === 'string'],
  variables: ['an object', (value: unknown) => isA(value, 'Object')],
} as const;

export class ModelChat extends Disposable implements Chat {
  private current: readonly ChatMessage[];
  private readonly queue = new CallQueue();

  constructor(
    private readonly session: GeneratorSession,
    private readonly settings: ChatSettings,
    messages: readonly ChatMessage[],
  ) {
    super();
    this.queue.owner = this;
    this.current = messages;
  }

  get messages(): readonly ChatMessage[] {
    return this.current;
  }

  send<T>(message: SentMessages, options?: GenerateOptions): Generation<T> {
    return this.answer(options, () => {
      const given = typeof message === 'string' ? { role: 'user', content: message } : message;
      const added = copied(Array.isArray(given) ? given : [given]);
      return (before) => [...before, ...added];
    });
  }

  regenerate<T>(options?: GenerateOptions): Generation<T> {
    return this.answer(options, () => (before) => {
      const asked = before.map(({ role }) => role).lastIndexOf('user');
      if (asked < 0) throw inputError('missing', 'regenerate: the chat has no message of the user');
      return before.slice(0, asked + 1);
    });
  }

  branch(index: number): Chat {
    const { length } = this.current;
    if (!Number.isInteger(index) || index < 0 || index > length) {
      throw inputError('out_of_range', `branch: index must be an integer from 0 to ${length}, not ${index}`);
    }
    return new ModelChat(this.session.fork(), this.settings, this.current.slice(0, index));
  }

  save(): Promise<Uint8Array> {
    return this.queue.run(async () => (await files()).saveChat(this.session, this.current));
  }

  /** Begins with what was saved. */
  async load(read: (session: GeneratorSession) => Promise<readonly ChatMessage[]>): Promise<void> {
    this.current = await this.queue.run(() => read(this.session));
  }

  close(): void {
    this.queue.close();
    this.session.close();
  }

  /** `prepare` returns what makes the conversation that is to be answered from the messages so far. */
  private answer<T>(
    options: GenerateOptions | undefined,
    prepare: () => (before: readonly ChatMessage[]) => readonly ChatMessage[],
  ): Generation<T> {
    const { session, settings } = this;
    try {
      checkOptions(options, generateRules, 'send');
      const asked = prepare();
      const all = { ...settings.options, ...options, chat: { ...settings.options.chat, ...options?.chat } };
      const take = async (tokens: TokenQueue, signal: AbortSignal) => {
        const { takeTurn } = await turns();
        const { messages, summary } = await takeTurn(session, asked(this.current), settings, { ...all, signal }, tokens);
        if (messages) this.current = messages;
        return summary;
      };
      return new TokenStream<T>((job, onWaiting) => this.queue.run(job, { onWaiting }), take, all);
    } catch (error) {
      return TokenStream.failed(error);
    }
  }
}

const copied = (messages: readonly ChatMessage[]) => conversationOf(messages).messages;

export function startChat(backend: GeneratorBackend, owner: object, given: ChatOptions = {}): ModelChat {
  checkOptions(given, chatRules, 'startChat');
  const { system, messages = [], tools = [], maxRounds = 8, template, variables, ...options } = given as ChatOptions & { tools?: readonly ChatTool[] };
  const definitions = tools.map(({ run: _run, ...definition }) => definition as ToolDefinition);
  const chat: ChatTemplateOptions = { ...(template !== undefined && { template }), ...(variables && { variables }), ...(tools.length > 0 && { tools: definitions }) };
  const first = system === undefined ? [] : [{ role: 'system', content: system }];
  return new ModelChat(GeneratorSession.create(backend, owner), { tools, maxRounds, options: { ...options, chat } }, [...first, ...copied(messages)]);
}

/** A chat that was saved. */
export async function openChat(
  backend: GeneratorBackend,
  owner: object,
  source: ModelSource,
  options: Omit<ChatOptions, 'system' | 'messages'> = {},
): Promise<Chat> {
  const { system: _system, messages: _messages, ...rules } = chatRules;
  checkOptions(options, rules, 'openChat');
  const { loadChat } = await files();
  const chat = startChat(backend, owner, options);
  try {
    await chat.load((session) => loadChat(session, source));
    return chat;
  } catch (error) {
    chat.close();
    throw error;
  }
}
