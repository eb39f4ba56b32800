// Strings that know where their characters come from: from the template, whose special tokens count, or from a message,
// whose do not. All string operations of templates keep this.

import { checkItems, checkLength } from './limits.js';

/**
 * Who wrote the characters: true for the template, false for messages, or where it changes: [3, 7] means that the
 * template wrote 0 to 3, a message 3 to 7, and the template the rest.
 */
type Origin = boolean | readonly number[];

/** An immutable string with the origin of its characters. Positions are in UTF-16 units. */
export class Text {
  constructor(
    readonly value: string,
    readonly origin: Origin = true,
  ) {}

  get length(): number {
    return this.value.length;
  }

  toString(): string {
    return this.value;
  }

  slice(begin: number, end = this.value.length): Text {
    if (begin <= 0 && end >= this.value.length) return this;
    if (begin >= end) return emptyText;
    return new Text(this.value.slice(begin, end), cut(this.origin, begin, end));
  }

  /** The parts with one origin each, in order. */
  *parts(): Generator<{ value: string; trusted: boolean }> {
    const { value, origin } = this;
    if (typeof origin === 'boolean') {
      if (value) yield { value, trusted: origin };
      return;
    }
    let trusted = true;
    let begin = 0;
    for (const end of [...origin, value.length]) {
      if (end > begin) yield { value: value.slice(begin, end), trusted };
      begin = end;
      trusted = !trusted;
    }
  }

  /** Replaces each part of one origin. */
  map(replace: (part: string) => string): Text {
    if (typeof this.origin === 'boolean') return new Text(checked(replace(this.value)), this.origin);
    const builder = new TextBuilder();
    for (const { value, trusted } of this.parts()) builder.add(replace(value), trusted);
    return builder.text();
  }
}

export const emptyText = new Text('');

/** Text of the template, or of the engine itself. */
export const text = (value: string): Text => (value ? new Text(value) : emptyText);

/** Text of a message. */
export const messageText = (value: string): Text => (value ? new Text(value, false) : emptyText);

function cut(origin: Origin, begin: number, end: number): Origin {
  if (typeof origin === 'boolean') return origin;
  let trusted = true;
  const inside: number[] = [];
  for (const at of origin) {
    if (at <= begin) trusted = !trusted;
    else if (at < end) inside.push(at - begin);
  }
  if (inside.length === 0) return trusted;
  return trusted ? inside : [0, ...inside];
}

function checked(value: string): string {
  checkLength(value.length);
  return value;
}

/** Puts a text together. */
export class TextBuilder {
  private values: string[] = [];
  private readonly changes: number[] = [];
  private trusted = true;
  length = 0;

  add(value: string, trusted = true): this {
    if (!value) return this;
    if (trusted !== this.trusted) this.changes.push(this.length);
    this.trusted = trusted;
    this.values.push(value);
    this.length += value.length;
    checkLength(value.length);
    return this;
  }

  append(part: Text): this {
    if (typeof part.origin === 'boolean') return this.add(part.value, part.origin);
    for (const { value, trusted } of part.parts()) this.add(value, trusted);
    return this;
  }

  text(): Text {
    if (this.length === 0) return emptyText;
    const value = this.values.join('');
    checkLength(this.length);
    const [first] = this.changes;
    if (first === undefined) return new Text(value);
    return new Text(value, first === 0 && this.changes.length === 1 ? false : this.changes);
  }
}

export function concat(...parts: readonly Text[]): Text {
  return join(parts);
}

export function join(parts: Iterable<Text>, separator: Text = emptyText): Text {
  const builder = new TextBuilder();
  let isFirst = true;
  for (const part of parts) {
    if (!isFirst) builder.append(separator);
    builder.append(part);
    isFirst = false;
  }
  return builder.text();
}

export function repeat(part: Text, times: number): Text {
  if (times <= 0 || part.length === 0) return emptyText;
  checkLength(part.length * times);
  if (typeof part.origin === 'boolean') return new Text(part.value.repeat(times), part.origin);
  return join(Array<Text>(times).fill(part));
}

const surrogate = /[\ud800-\udfff]/;

/** The characters (code points), as Python counts them. */
export function characters(whole: Text): Text[] {
  checkItems(whole.length);
  let at = 0;
  return Array.from(whole.value, (character) => whole.slice(at, (at += character.length)));
}

/** Number of characters (code points). */
export function countCharacters(value: string): number {
  if (!surrogate.test(value)) return value.length;
  let count = 0;
  for (const _ of value) ++count;
  return count;
}

/** The characters from `begin` to `end`, which are positions of characters. */
export const charactersBetween = (whole: Text, begin: number, end: number): Text =>
  whole.slice(unitOf(whole.value, begin), unitOf(whole.value, end));

/** The position in UTF-16 units of a character, and back. */
export function unitOf(value: string, character: number): number {
  if (!surrogate.test(value)) return Math.min(character, value.length);
  let unit = 0;
  for (const each of value) {
    if (character-- <= 0) break;
    unit += each.length;
  }
  return unit;
}
export const characterOf = (value: string, unit: number): number => countCharacters(value.slice(0, unit));

/** What Python's str.strip() and str.split() take for white space. */
export const whiteSpace = '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Without these characters at the ends. `sides`: -1 at the beginning only, 1 at the end only. */
export function strip(whole: Text, set = whiteSpace, sides: -1 | 0 | 1 = 0): Text {
  const { value } = whole;
  const members = new Set(set);
  let begin = 0;
  let end = value.length;
  if (sides <= 0) {
    for (let at = 0; at < end; begin = at) {
      const character = String.fromCodePoint(value.codePointAt(at)!);
      if (!members.has(character)) break;
      at += character.length;
    }
  }
  if (sides >= 0) {
    while (end > begin) {
      const pair = end - 2 >= begin ? value.codePointAt(end - 2)! : 0;
      const size = pair > 0xffff ? 2 : 1;
      if (!members.has(value.slice(end - size, end))) break;
      end -= size;
    }
  }
  return whole.slice(begin, end);
}
