// A conversation: its messages, and the session that keeps what was computed for them.

import type { ChatMessage, GenerateOptions, GenerationSummary, Session, TextGenerator, Token } from 'quintet';

import { answer } from './answering.js';
import { packConversation, unpackConversation } from './conversation_file.js';

export class Conversation {
  /** Empty: the model gets no system message. */
  system = '';
  /** All but the system message. */
  messages: readonly ChatMessage[] = [];

  private constructor(private readonly session: Session) {}

  static begin(model: TextGenerator): Conversation {
    return new Conversation(model.createSession());
  }

  /** Of a saved file. */
  static async open(model: TextGenerator, file: Blob): Promise<Conversation> {
    const opened = Conversation.begin(model);
    try {
      const messages = await unpackConversation(file, opened.session);
      const [first] = messages;
      const hasSystem = first?.role === 'system';
      opened.system = (hasSystem && first.content) || '';
      opened.messages = hasSystem ? messages.slice(1) : messages;
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  /** Tokens in the cache. */
  get length(): number {
    return this.session.length;
  }

  /**
   * Keeps this many messages, adds one of the user if there is text, and has the model answer. After an error the conversation is what
   * it was before; a stopped answer stays as far as it came.
   */
  async ask(kept: number, content: string | undefined, options: GenerateOptions, show: (token: Token) => void): Promise<GenerationSummary> {
    const before = this.messages;
    const asked: ChatMessage[] = before.slice(0, kept);
    if (content !== undefined) asked.push({ role: 'user', content });
    this.messages = asked;
    try {
      const { message, summary } = await answer(this.session, this.written(), options, show);
      this.messages = [...asked, message];
      return summary;
    } catch (error) {
      this.messages = before;
      throw error;
    }
  }

  /** A second conversation that begins with this many messages. What was computed for them is shared. */
  branch(count: number): Conversation {
    const other = new Conversation(this.session.fork());
    other.system = this.system;
    other.messages = this.messages.slice(0, count);
    return other;
  }

  save(): Promise<Uint8Array> {
    return packConversation(this.written(), this.session);
  }

  close(): void {
    this.session.close();
  }

  private written(): ChatMessage[] {
    return this.system.trim() === '' ? [...this.messages] : [{ role: 'system', content: this.system }, ...this.messages];
  }
}
