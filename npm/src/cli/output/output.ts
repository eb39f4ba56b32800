// Writes to stdout and stderr with back pressure, so that a slow reader does not fill the memory.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

export class Output {
  /** Leaves out notes and progress. */
  isQuiet = false;

  constructor(private readonly stream: Writable & { isTTY?: boolean; columns?: number }) {}

  get showsProgress(): boolean {
    return this.stream.isTTY === true && !this.isQuiet;
  }

  /** Resolves when the stream takes more. */
  async write(data: string | Uint8Array): Promise<void> {
    if (!this.stream.write(data)) await once(this.stream, 'drain');
  }

  line(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }

  /** A line that --quiet leaves out. */
  async note(text: string): Promise<void> {
    if (!this.isQuiet) await this.line(text);
  }

  json(value: unknown): Promise<void> {
    return this.line(JSON.stringify(value));
  }

  /** Resolves when all that was written has left the process. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.stream.write('', () => resolve()));
  }
}
