// Reads numbers and texts of the index's files, which may be damaged or made to harm.

import { damaged, type FileKind, kinds } from './files.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class ByteReader {
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly name: string,
  ) {}

  /** Starts reading a file, which begins with its kind and number. */
  static open(bytes: Uint8Array, name: string, kind: FileKind, number: number): ByteReader {
    const reader = new ByteReader(bytes, name);
    if (reader.byte() !== kinds[kind].charCodeAt(0) || reader.number() !== number) {
      throw damaged(`${name} has the content of another file`, 0);
    }
    return reader;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw this.broken('it ends too early');
    return this.bytes[this.at++]!;
  }

  /** An integer of at most 53 bits. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw this.broken('a number is too large');
      if (byte < 0x80) return value;
      if (scale > 2 ** 49) throw this.broken('a number is too long');
    }
  }

  /** A number that is at most `max`. */
  atMost(max: number, what: string): number {
    const value = this.number();
    if (value > max) throw this.broken(`${what} is ${value}, at most ${max} is possible`);
    return value;
  }

  /** The number of things that follow, of at least `size` bytes each. */
  count(what: string, size = 1): number {
    return this.atMost(Math.floor(this.left / size), `the number of ${what}`);
  }

  raw(length: number): Uint8Array {
    if (length > this.left) throw this.broken('it ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text(): string {
    const bytes = this.raw(this.count('bytes'));
    try {
      return decoder.decode(bytes);
    } catch {
      throw this.broken('a text is not UTF-8');
    }
  }

  textAfter(before: string): string {
    const shared = this.atMost(before.length, 'the length of a beginning');
    return before.slice(0, shared) + this.text();
  }

  end(): void {
    if (this.left > 0) throw this.broken(`${this.left} bytes are left`);
  }

  broken(message: string): Error {
    return damaged(`${this.name} is damaged: ${message}`, this.at);
  }
}
