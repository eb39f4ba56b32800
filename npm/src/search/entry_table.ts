// The entries of an index by slot: ids, payloads, texts, and the order in which they were added. A million entries as
// objects with strings take 100 MB, a quarter of their vectors; so ids are bytes in one array, found through a hash
// table of slots.

import { Column } from './column.js';
import { grown } from './growing.js';
import type { EntryId } from './types.js';

/** In place of an address: the slot is free. */
const noAddress = 2 ** 32 - 1;
/** Bytes of removed ids that may stay. */
const maxGarbage = 1 << 16;

export class EntryTable {
  /** Number of slots in use or free again. */
  slots = 0;
  private readonly free: number[] = [];

  /** Ids, each before a 0. */
  private ids = new Uint8Array(0);
  private idsEnd = 0;
  private garbage = 0;
  private addresses = new Uint32Array(0);
  /** The hash of each id, kept so that the table grows quickly. */
  private hashes = new Uint32Array(0);
  /** Open addressing: slots + 1, or 0. The length is a power of 2. */
  private buckets = new Uint32Array(8);
  private readonly seed = Math.floor(Math.random() * 2 ** 32);

  /** Absent while it is the order of the slots. */
  private orders: Float64Array | undefined;
  private nextOrder = 0;
  readonly payloads = new Column<unknown>();
  readonly texts = new Column<string>();
  /** Slots of entries without a vector, which are found by their words only. */
  readonly withoutVector = new Set<number>();

  /** Number of entries. */
  get size(): number {
    return this.slots - this.free.length;
  }

  /** The slot of an id; undefined if there is none. */
  find(id: EntryId): number | undefined {
    const slot = this.buckets[this.bucketOf(encoded(id))]!;
    return slot === 0 ? undefined : slot - 1;
  }

  has(slot: number): boolean {
    return slot < this.slots && this.addresses[slot] !== noAddress;
  }

  /** Position of an entry in the order in which entries were added; a replaced entry keeps it. */
  order(slot: number): number {
    return this.orders ? this.orders[slot]! : slot;
  }

  id(slot: number): EntryId {
    return decoded(this.idBytes(slot));
  }

  /** The slot that `insert` uses next. */
  get nextSlot(): number {
    return this.free.at(-1) ?? this.slots;
  }

  /** Adds an entry with a new id at `nextSlot`. */
  insert(id: EntryId): void {
    const bytes = encoded(id);
    const slot = this.nextSlot;
    const isReused = slot < this.slots;
    if (isReused) this.orders ??= Float64Array.from({ length: this.slots }, (_, i) => i);
    if (this.orders) this.orders = grown(this.orders, slot + 1);
    this.addresses = grown(this.addresses, slot + 1);
    if (4 * (this.size + 1) > 3 * this.buckets.length) this.rehash(2 * this.buckets.length);
    this.writeId(slot, bytes);
    this.hashes = grown(this.hashes, slot + 1);
    this.hashes[slot] = this.hash(bytes);
    this.buckets[this.bucketOf(bytes)] = slot + 1;
    if (this.orders) this.orders[slot] = this.nextOrder;
    this.nextOrder += 1;
    if (isReused) this.free.pop();
    else this.slots += 1;
  }

  /** Removes an entry; undefined if there is none, else the slot that is now free. */
  remove(id: EntryId): number | undefined {
    const bytes = encoded(id);
    const bucket = this.bucketOf(bytes);
    if (this.buckets[bucket] === 0) return undefined;
    const slot = this.buckets[bucket]! - 1;
    this.vacate(bucket);
    this.addresses[slot] = noAddress;
    this.payloads.set(slot, undefined);
    this.texts.set(slot, undefined);
    this.withoutVector.delete(slot);
    this.free.push(slot);
    this.garbage += bytes.length + 1;
    if (this.garbage > maxGarbage && 2 * this.garbage > this.idsEnd) this.collectGarbage();
    return slot;
  }

  /** Slots in the order in which entries were added. */
  inOrder(): Uint32Array {
    const slots = new Uint32Array(this.size);
    let count = 0;
    for (let slot = 0; slot < this.slots; ++slot) if (this.has(slot)) slots[count++] = slot;
    return this.orders ? slots.sort((a, b) => this.order(a) - this.order(b)) : slots;
  }

  private idBytes(slot: number): Uint8Array {
    const start = this.addresses[slot]!;
    return this.ids.subarray(start, this.ids.indexOf(0, start));
  }

  private writeId(slot: number, bytes: Uint8Array): void {
    this.ids = grown(this.ids, this.idsEnd + bytes.length + 1);
    this.addresses[slot] = this.idsEnd;
    this.ids.set(bytes, this.idsEnd);
    this.idsEnd += bytes.length + 1;
  }

  private collectGarbage(): void {
    const all = Array.from(this.inOrder(), (slot) => [slot, this.idBytes(slot)] as const);
    this.ids = new Uint8Array(this.idsEnd - this.garbage);
    this.idsEnd = this.garbage = 0;
    for (const [slot, bytes] of all) this.writeId(slot, bytes);
  }

  /** The bucket of an id, or the empty one where it belongs. */
  private bucketOf(bytes: Uint8Array): number {
    const mask = this.buckets.length - 1;
    for (let at = this.hash(bytes) & mask; ; at = (at + 1) & mask) {
      const slot = this.buckets[at]!;
      if (slot === 0 || areEqual(this.idBytes(slot - 1), bytes)) return at;
    }
  }

  private rehash(length: number): void {
    const slots = this.buckets.filter((slot) => slot !== 0);
    this.buckets = new Uint32Array(length);
    for (const slot of slots) {
      let at = this.hashes[slot - 1]! & (length - 1);
      while (this.buckets[at] !== 0) at = (at + 1) & (length - 1);
      this.buckets[at] = slot;
    }
  }

  /** Empties a bucket, and moves those after it that would no longer be found (Knuth, TAOCP 6.4, algorithm R). */
  private vacate(bucket: number): void {
    const { buckets } = this;
    const mask = buckets.length - 1;
    let empty = bucket;
    for (let at = (bucket + 1) & mask; buckets[at] !== 0; at = (at + 1) & mask) {
      const home = this.hashes[buckets[at]! - 1]! & mask;
      if (((at - home) & mask) < ((at - empty) & mask)) continue;
      buckets[empty] = buckets[at]!;
      empty = at;
    }
    buckets[empty] = 0;
  }

  /** Starts from a random seed, so that no file can choose ids that collide. */
  private hash(bytes: Uint8Array): number {
    let hash = this.seed;
    for (const byte of bytes) {
      hash = Math.imul(hash ^ byte, 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }
}

/** Before the digits of a number. In JSON, no text has it. */
const numberMark = 1;

// JSON has no 0, and keeps even halves of surrogate pairs, which UTF-8 does not have.
function encoded(id: EntryId): Uint8Array {
  const json = JSON.stringify(id);
  return new TextEncoder().encode(typeof id === 'string' ? json.slice(1, -1) : String.fromCharCode(numberMark) + json);
}

function decoded(bytes: Uint8Array): EntryId {
  const isNumber = bytes[0] === numberMark;
  const text = textOf(isNumber ? bytes.subarray(1) : bytes);
  return JSON.parse(isNumber ? text : `"${text}"`) as EntryId;
}

/**
 * Decodes ASCII itself: browsers create an object for each array that a TextDecoder reads, and free them all in one
 * long task.
 */
function textOf(utf8: Uint8Array): string {
  let text = '';
  for (const byte of utf8) {
    if (byte > 127) return new TextDecoder().decode(utf8);
    text += String.fromCharCode(byte);
  }
  return text;
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
