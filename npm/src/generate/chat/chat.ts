// A conversation with a text generator. The code of turns is loaded with the first one.

import { CallQueue } from '../../base/call_queue.js';
import { Disposable } from '../../base/disposable.js';
import { closedError, inputError } from '../../base/errors.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { ModelSource } from '../../base/types.js';
import { checkOptions } from '../../base/values.js';
import type { ChatMessage } from '../../chat/types.js';
import type { GeneratorBackend } from '../calls.js';
import { type TokenQueue, TokenStream } from '../generation.js';
import { conversationOf, generateRules } from '../options.js';
import { GeneratorSession } from '../session.js';
import type { GenerateOptions, Generation } from '../types.js';
import type { Chat, ChatOptions, SentMessages } from './types.js';

const later = lazyModule(() => import('./turns_and_files.js'), 'takeTurn');

export class ModelChat extends Disposable implements Chat {
  private readonly queue = new CallQueue();

  constructor(
    private readonly session: GeneratorSession,
    private readonly options: ChatOptions,
    private current: readonly ChatMessage[],
  ) {
    super();
    this.queue.owner = this;
  }

  get messages(): readonly ChatMessage[] {
    return this.current;
  }

  get length(): number {
    return this.session.length;
  }

  send<T>(message: SentMessages, options?: GenerateOptions): Generation<T> {
    return this.answer(options, () =>
      copied(typeof message === 'string' ? [{ role: 'user', content: message }] : [message].flat()),
    );
  }

  regenerate<T>(options?: GenerateOptions): Generation<T> {
    return this.answer(options, () => undefined);
  }

  branch(index: number): Chat {
    if (this.queue.closed) throw closedError();
    const { length } = this.current;
    if (!Number.isInteger(index) || index < 0 || index > length) {
      throw inputError('out_of_range', `branch: index must be an integer from 0 to ${length}, not ${index}`);
    }
    return new ModelChat(this.session.fork(), this.options, this.current.slice(0, index));
  }

  save(): Promise<Uint8Array> {
    return this.queue.run(async () => (await later()).saveChat(this.session, this.current));
  }

  /** Begins with the saved content; closed if that fails. */
  async load(source: ModelSource): Promise<Chat> {
    this.current = await this.queue.run(async () => (await later()).loadChat(this.session, this.options, source));
    return this;
  }

  close(): void {
    this.queue.close();
    this.session.close();
  }

  /** Without messages, the last one of the user is answered again. */
  private answer<T>(
    options: GenerateOptions | undefined,
    messagesOf: () => readonly ChatMessage[] | undefined,
  ): Generation<T> {
    return TokenStream.from(() => {
      checkOptions(options, generateRules, 'send');
      const added = messagesOf();
      const take = async (tokens: TokenQueue, signal: AbortSignal) => {
        const { takeTurn } = await later();
        const { messages, summary } = await takeTurn(
          { session: this.session, options: this.options, messages: this.current },
          added,
          { ...options, signal },
          tokens,
        );
        this.current = messages;
        return summary;
      };
      return new TokenStream<T>((job, onWaiting) => this.queue.run(job, { onWaiting }), take, {
        ...this.options,
        ...options,
      });
    });
  }
}

const copied = (messages: readonly ChatMessage[]) => conversationOf(messages).messages;

/** Messages that cannot be copied are invalid; the first answer reports them. */
function copiedIfPossible(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  try {
    return copied(messages);
  } catch {
    return messages;
  }
}

export function startChat(backend: GeneratorBackend, owner: object, options: ChatOptions = {}): ModelChat {
  const { system, messages = [] } = { ...options };
  const first: readonly ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return new ModelChat(GeneratorSession.create(backend, owner), options, first.concat(copiedIfPossible(messages)));
}
