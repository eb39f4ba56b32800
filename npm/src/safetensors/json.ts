// A parser for the subset of JSON that the header of a safetensors file may contain: objects, arrays, strings and
// natural numbers.
//
// JSON.parse silently keeps the last of two equal keys and rounds numbers, and builds all of a hostile header in memory
// (5 GB for 100 MB of brackets, in 17 seconds) before any of it can be rejected. Here the caller states what it
// expects, and anything else ends the parsing at once.

import { type ErrorReason, QuintetError } from '../base/errors.js';

/** Size of the header's length, which precedes it. */
export const prefixBytes = 8;

export function broken(reason: ErrorReason, offset: number, what: string, tensor?: string): QuintetError {
  const where = tensor === undefined ? '' : `tensor ${JSON.stringify(tensor)}: `;
  return new QuintetError('FORMAT', `safetensors: ${where}${what}`, { reason, format: 'safetensors', offset, tensor });
}

export class HeaderCursor {
  /** The tensor whose entry is being read, for errors. */
  tensor: string | undefined;
  private at = 0;

  constructor(private readonly text: string) {}

  /** The members in order; `read` parses a member's value and receives the position of its name. */
  object<T>(read: (name: string, at: number) => T): Map<string, T> {
    const members = new Map<string, T>();
    this.expect('{');
    if (this.take('}')) return members;
    do {
      this.skipSpace();
      const start = this.at;
      const name = this.string();
      if (members.has(name)) throw this.failure('duplicate', start, `the key ${JSON.stringify(name)} occurs twice`);
      this.expect(':');
      members.set(name, read(name, start));
    } while (this.take(','));
    this.expect('}');
    return members;
  }

  array<T>(read: () => T): T[] {
    const elements: T[] = [];
    this.expect('[');
    if (this.take(']')) return elements;
    do elements.push(read());
    while (this.take(','));
    this.expect(']');
    return elements;
  }

  string(): string {
    this.expect('"', 'a string');
    const start = this.at;
    let escaped = false;
    for (let code; (code = this.text.charCodeAt(this.at)) !== 0x22; this.at++) {
      // NaN at the end of the text fails this test as well.
      if (!(code >= 0x20)) throw this.unexpected('a string');
      if (code !== 0x5c) continue;
      escaped = true;
      this.at++;
    }
    const raw = this.text.slice(start, this.at++);
    if (!escaped) return raw;
    let text: string;
    try {
      text = JSON.parse(`"${raw}"`) as string;
    } catch {
      throw this.failure('malformed', start, 'a string is not valid JSON');
    }
    if (!isUnicode(text)) throw this.failure('invalid_utf8', start, 'a string is not valid Unicode');
    return text;
  }

  natural(): number {
    this.skipSpace();
    digits.lastIndex = this.at;
    const number = digits.exec(this.text)?.[0];
    if (number === undefined) throw this.unexpected('a natural number');
    const value = Number(number);
    if (!Number.isSafeInteger(value)) throw this.failure('limit', this.at, 'a number is larger than 2^53 - 1');
    this.at += number.length;
    return value;
  }

  /** Only spaces may follow. */
  end(): void {
    this.skipSpace();
    // If more follows, the length at offset 0 is wrong.
    if (this.at < this.text.length) throw broken('malformed', 0, 'the header is not valid JSON');
  }

  failure(reason: ErrorReason, at: number, what: string): QuintetError {
    const bytesBefore = new TextEncoder().encode(this.text.slice(0, at)).length;
    return broken(reason, prefixBytes + bytesBefore, what, this.tensor);
  }

  private expect(character: string, what = `'${character}'`): void {
    if (!this.take(character)) throw this.unexpected(what);
  }

  private take(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    while (spaces.includes(this.text.charCodeAt(this.at))) this.at++;
  }

  private unexpected(expected: string): QuintetError {
    // If the text ends too early, the length at offset 0 is wrong.
    if (this.at >= this.text.length) return broken('malformed', 0, `expected ${expected}, but the header ends`);
    return this.failure('malformed', this.at, `expected ${expected}`);
  }
}

const digits = /0|[1-9]\d*/y;
const spaces = [0x20, 0x0a, 0x0d, 0x09];

/** Whether a text can be encoded as UTF-8. */
export function isUnicode(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
