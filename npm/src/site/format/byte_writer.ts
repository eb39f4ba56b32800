// Writes numbers and texts of the index's files.

import { grown } from '../../search/growing.js';

const encoder = new TextEncoder();

export class ByteWriter {
  private bytes = new Uint8Array(256);
  private used = 0;

  get length(): number {
    return this.used;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  /** An integer from 0 to 2^53 - 1: seven bits a byte, lowest first, the highest bit set in all but the last. */
  number(value: number): void {
    this.reserve(8);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.bytes[this.used++] = (rest % 128) | 0x80;
    this.bytes[this.used++] = rest;
  }

  raw(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.used);
    this.used += values.length;
  }

  /** UTF-8, after its length in bytes. */
  text(value: string): void {
    const bytes = encoder.encode(value);
    this.number(bytes.length);
    this.raw(bytes);
  }

  /** A text of a sorted list: the number of its units that are those of the one before, and the rest. */
  textAfter(before: string, value: string): void {
    const shared = sharedUnits(before, value);
    this.number(shared);
    this.text(value.slice(shared));
  }

  /** A copy of the written bytes. */
  taken(): Uint8Array {
    return this.bytes.slice(0, this.used);
  }

  private reserve(count: number): void {
    this.bytes = grown(this.bytes, this.used + count);
  }
}

/** Units that two texts begin with, without the first half of a character. */
function sharedUnits(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared > 0 && /[\ud800-\udbff]/.test(one[shared - 1]!) ? shared - 1 : shared;
}
