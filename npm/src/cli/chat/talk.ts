// A conversation with a model: its messages, and the session that keeps what was computed.
import type { ChatMessage, ChatTemplateOptions, GenerateOptions, GenerationSummary, Session } from '../../index.js';
import { interruptible } from '../interrupts.js';
import { loadConversation, saveConversation } from './conversation_file.js';

export class Talk {
  private messages: ChatMessage[];

  constructor(
    private readonly session: Session,
    private readonly options: GenerateOptions & { chat?: ChatTemplateOptions },
    private readonly system: string | undefined,
  ) {
    this.messages = this.beginning();
  }

  /** Gives each piece of the answer to `show`. Ctrl-C ends the answer; what there is of it stays in the conversation. */
  async ask(content: string, show: (text: string) => Promise<void>): Promise<{ text: string; summary: GenerationSummary }> {
    const stopping = new AbortController();
    const messages: ChatMessage[] = [...this.messages, { role: 'user', content }];
    const generation = this.session.generate(messages, { ...this.options, signal: stopping.signal });
    return interruptible(
      () => stopping.abort(),
      async () => {
        let text = '';
        for await (const token of generation) {
          text += token.text;
          if (token.text) await show(token.text);
        }
        const summary = await generation.finished;
        this.messages = [...messages, answerOf(text, summary)];
        return { text, summary };
      },
    );
  }

  reset(): void {
    this.messages = this.beginning();
    this.session.rewind(0);
  }

  save(path: string): Promise<void> {
    return saveConversation(path, this.messages, this.session);
  }

  /** Returns the number of its messages. */
  async load(path: string): Promise<number> {
    this.messages = await loadConversation(path, this.session);
    return this.messages.length;
  }

  private beginning(): ChatMessage[] {
    return this.system === undefined ? [] : [{ role: 'system', content: this.system }];
  }
}

function answerOf(content: string, { reasoning, toolCalls }: GenerationSummary): ChatMessage {
  return { role: 'assistant', content, ...(reasoning !== undefined && { reasoning }), ...(toolCalls && { toolCalls }) };
}
