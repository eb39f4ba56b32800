// Messages of one or more lines, typed or from a pipe.
import { createInterface, type Interface } from 'node:readline';
import { interrupted } from '../interrupts.js';

/** Begins and ends a message of several lines. */
const fence = '"""';

export class ChatInput {
  readonly isTerminal = process.stdin.isTTY === true;
  private readonly lines: Interface;
  private readonly unread: AsyncIterator<string>;

  constructor() {
    const { isTerminal } = this;
    this.lines = createInterface({
      input: process.stdin,
      terminal: isTerminal,
      ...(isTerminal && { output: process.stderr }),
    });
    this.lines.on('SIGINT', () => {
      // In a terminal Ctrl-C comes here. Without an answer to end, it ends the program.
      if (!interrupted('SIGINT')) this.lines.close();
    });
    this.unread = this.lines[Symbol.asyncIterator]();
  }

  /** The next message, without its last newline; undefined at the end. A line that ends with a backslash continues. */
  async next(): Promise<string | undefined> {
    let line = await this.line('> ');
    if (line === undefined) return undefined;
    if (line.trim().startsWith(fence)) return this.fenced(line.trim().slice(fence.length));
    let message = '';
    while (line?.endsWith('\\')) {
      message += `${line.slice(0, -1)}\n`;
      line = await this.line('. ');
    }
    return message + (line ?? '');
  }

  close(): void {
    this.lines.close();
  }

  private async fenced(first: string): Promise<string> {
    if (first.endsWith(fence)) return first.slice(0, -fence.length);
    const parts = first ? [first] : [];
    for (;;) {
      const line = await this.line('. ');
      if (line === undefined) return parts.join('\n');
      const end = line.trimEnd();
      if (!end.endsWith(fence)) {
        parts.push(line);
        continue;
      }
      const last = end.slice(0, -fence.length);
      return [...parts, ...(last ? [last] : [])].join('\n');
    }
  }

  private async line(prompt: string): Promise<string | undefined> {
    if (this.isTerminal) {
      this.lines.setPrompt(prompt);
      this.lines.prompt();
    }
    const { done, value } = await this.unread.next();
    return done ? undefined : value;
  }
}
