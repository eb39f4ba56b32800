// Strings that keep the origin of their characters: the template, where special tokens count, or a message, where they
// do not. All string operations of templates preserve it.

import { checkItems, checkLength, spend, spendOn, spendOnJoining } from './limits.js';

/**
 * The positions at which the author changes, beginning with the template: [3, 7] means that the template wrote 0 to 3,
 * a message 3 to 7, and the template the rest.
 */
type Changes = readonly number[];
const ofTemplate: Changes = [];
const ofMessage: Changes = [0];

/**
 * An immutable string with the origin of its characters. Positions are in UTF-16 units. Joining is free: JavaScript
 * keeps such a string as a rope of its parts, and so does this class. Both are flattened when the text is read.
 */
export class Text {
  /** `changes`: null until the joined parts are flattened. */
  constructor(
    readonly rope: string,
    public changes: Changes | null = ofTemplate,
    private joined?: readonly Text[],
  ) {}

  get length(): number {
    return this.rope.length;
  }

  get value(): string {
    if (this.joined) {
      spendOnJoining(this.length);
      this.changes ??= changesOf(this.joined);
      this.joined = undefined;
    }
    return this.rope;
  }

  toString(): string {
    return this.value;
  }

  slice(begin: number, end = this.length): Text {
    if (begin <= 0 && end >= this.length) return this;
    if (begin >= end) return emptyText;
    const value = this.value.slice(begin, end);
    const changes = this.changes!;
    const first = firstAbove(changes, begin);
    const inside = changes.slice(first, firstAbove(changes, end - 1)).map((at) => at - begin);
    spendOn(inside.length);
    const author = first % 2 === 0 ? ofTemplate : ofMessage;
    return new Text(value, inside.length > 0 ? [...author, ...inside] : author);
  }

  /** The parts with one origin each, in order. */
  *parts(): Generator<{ value: string; trusted: boolean }> {
    const { value } = this;
    let trusted = true;
    let begin = 0;
    for (const end of [...this.changes!, value.length]) {
      if (end > begin) yield { value: value.slice(begin, end), trusted };
      begin = end;
      trusted = !trusted;
    }
  }

  /** Replaces each part of one origin. */
  map(replace: (part: string) => string): Text {
    const builder = new TextBuilder();
    spend(this.length / 4);
    for (const { value, trusted } of this.parts()) builder.add(replace(value), trusted);
    return builder.text();
  }

  /**
   * Its parts that are not joined themselves, in order. Loops that gather text in a variable nest them thousands of
   * levels deep.
   */
  static *leaves(joined: readonly Text[]): Generator<Text> {
    const open = [joined.values()];
    while (open.length > 0) {
      const part = open.at(-1)!.next().value as Text | undefined;
      if (!part) open.pop();
      else if (part.changes) yield part;
      else open.push(part.joined!.values());
    }
  }
}

function changesOf(joined: readonly Text[]): Changes {
  const changes: number[] = [];
  // Two changes at the same position cancel each other.
  const change = (place: number) => (changes.at(-1) === place ? changes.pop() : changes.push(place));
  let at = 0;
  for (const part of Text.leaves(joined)) {
    const own = part.changes!;
    spend(1 + own.length / 8);
    for (const place of own) change(at + place);
    at += part.length;
    if (own.length % 2 > 0) change(at);
  }
  if (changes.at(-1) === at) changes.pop();
  return changes;
}

/** The index of the first change after this place. */
function firstAbove(changes: Changes, place: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]! > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const emptyText = new Text('');

/** Text of the template, or of the engine itself. */
export const text = (value: string): Text => (value ? new Text(value) : emptyText);

/** Text of a message. */
export const messageText = (value: string): Text => (value ? new Text(value, ofMessage) : emptyText);

/** Puts a text together. */
export class TextBuilder {
  private readonly parts: Text[] = [];
  /** The last parts, as long as they have the same author. */
  private rope = '';
  private author: Changes | null = ofTemplate;
  private length = 0;

  add(value: string, trusted = true): this {
    return this.append((trusted ? text : messageText)(value));
  }

  append(part: Text): this {
    spend(0.5);
    checkLength((this.length += part.length));
    const { changes } = part;
    if (changes !== this.author) this.finishPart(changes);
    if (changes === ofTemplate || changes === ofMessage) this.rope += part.rope;
    else this.parts.push(part);
    return this;
  }

  text(): Text {
    this.finishPart(null);
    const { parts } = this;
    return parts.length < 2
      ? (parts[0] ?? emptyText)
      : new Text(
          parts.reduce((rope, part) => rope + part.rope, ''),
          null,
          parts,
        );
  }

  private finishPart(next: Changes | null): void {
    if (this.rope) this.parts.push(new Text(this.rope, this.author, []));
    this.rope = '';
    this.author = next;
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

/** Repeats by doubling. */
export function repeat(part: Text, times: number): Text {
  if (times <= 0 || part.length === 0) return emptyText;
  spend();
  checkLength(part.length * times);
  const half = repeat(part, Math.floor(times / 2));
  return concat(half, half, times % 2 > 0 ? part : emptyText);
}

/** Counts the worst case of finding a string: comparing it at every position. */
export function spendOnSearch(whole: { length: number }, sought: { length: number }): void {
  spendOn(whole.length + (Math.max(0, whole.length - sought.length) * sought.length) / 16);
}

const surrogate = /[\ud800-\udfff]/;

/** The characters (code points), as Python counts them. */
export function characters(whole: Text): Text[] {
  checkItems(whole.length);
  spend(whole.length);
  const all: Text[] = [];
  for (const { value, trusted } of whole.parts())
    for (const each of value) all.push(trusted ? new Text(each) : messageText(each));
  return all;
}

/** Number of characters (code points). */
export function countCharacters(value: string): number {
  spendOn(value.length);
  if (!surrogate.test(value)) return value.length;
  spend(value.length / 4);
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

/** White space as Python's str.strip() and str.split() define it. */
export const whiteSpace =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** The text without these characters at the ends. `sides`: -1 at the beginning only, 1 at the end only. */
export function strip(whole: Text, set = whiteSpace, sides: -1 | 0 | 1 = 0): Text {
  const { value } = whole;
  spend(set.length);
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
  spend((value.length - end + begin) / 4);
  return whole.slice(begin, end);
}
