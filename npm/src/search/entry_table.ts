// The entries of an index by slot: ids, payloads, and the order in which they were added. A million entries as objects with
// strings take 100 MB, a quarter of their vectors; so ids are bytes in one array, found through a hash table of slots.

import { grown } from './growing.js';

const payloadsPerBlock = 256;
/** In place of an address: the slot is free. */
const noAddress = 2 ** 32 - 1;
/** Bytes of removed ids that may stay. */
const mostGarbage = 1 << 16;

export class EntryTable {
  /** Number of slots in use or free again. */
  slots = 0;
  private readonly free: number[] = [];

  /** Ids, each after the number of its bytes. */
  private ids = new Uint8Array(0);
  private idsEnd = 0;
  private garbage = 0;
  private addresses = new Uint32Array(0);
  /** Open addressing: slots + 1, or 0. The length is a power of 2. */
  private buckets = new Uint32Array(8);
  private readonly seed = Math.floor(Math.random() * 2 ** 32);

  /** Absent while it is that of the slots. */
  private orders: Float64Array | undefined;
  private nextOrder = 0;
  /** Blocks exist where a payload is not undefined. */
  private readonly payloads: (unknown[] | undefined)[] = [];

  /** Number of entries. */
  get size(): number {
    return this.slots - this.free.length;
  }

  /** The slot of an id; undefined if there is none. */
  find(id: string): number | undefined {
    const slot = this.buckets[this.bucketOf(encoded(id))]!;
    return slot === 0 ? undefined : slot - 1;
  }

  has(slot: number): boolean {
    return slot < this.slots && this.addresses[slot] !== noAddress;
  }

  /** Position of an entry in the order of adding; an entry keeps it when it is replaced. */
  order(slot: number): number {
    return this.orders ? this.orders[slot]! : slot;
  }

  id(slot: number): string {
    return decoded(this.idBytes(slot));
  }

  payload(slot: number): unknown {
    return this.payloads[Math.floor(slot / payloadsPerBlock)]?.[slot % payloadsPerBlock];
  }

  setPayload(slot: number, payload: unknown): void {
    const block = Math.floor(slot / payloadsPerBlock);
    if (payload === undefined && !this.payloads[block]) return;
    (this.payloads[block] ??= new Array<unknown>(payloadsPerBlock).fill(undefined))[slot % payloadsPerBlock] = payload;
  }

  /** The slot that `insert` uses next. */
  get nextSlot(): number {
    return this.free.at(-1) ?? this.slots;
  }

  /** Adds an entry with a new id at `nextSlot`. */
  insert(id: string, payload: unknown): void {
    const bytes = encoded(id);
    const slot = this.nextSlot;
    const isReused = slot < this.slots;
    if (isReused) this.orders ??= Float64Array.from({ length: this.slots }, (_, i) => i);
    if (this.orders) this.orders = grown(this.orders, slot + 1);
    this.addresses = grown(this.addresses, slot + 1);
    if (4 * (this.size + 1) > 3 * this.buckets.length) this.rehash(2 * this.buckets.length);
    this.writeId(slot, bytes);
    this.buckets[this.bucketOf(bytes)] = slot + 1;
    if (this.orders) this.orders[slot] = this.nextOrder;
    this.nextOrder += 1;
    this.setPayload(slot, payload);
    if (isReused) this.free.pop();
    else this.slots += 1;
  }

  /** Removes an entry; undefined if there is none, else the slot that is now free. */
  remove(id: string): number | undefined {
    const bytes = encoded(id);
    const bucket = this.bucketOf(bytes);
    if (this.buckets[bucket] === 0) return undefined;
    const slot = this.buckets[bucket]! - 1;
    this.vacate(bucket);
    this.addresses[slot] = noAddress;
    this.setPayload(slot, undefined);
    this.free.push(slot);
    this.garbage += bytes.length;
    if (this.garbage > mostGarbage && 2 * this.garbage > this.idsEnd) this.collectGarbage();
    return slot;
  }

  /** Slots in the order of adding. */
  inOrder(): Uint32Array {
    const slots = new Uint32Array(this.size);
    let count = 0;
    for (let slot = 0; slot < this.slots; ++slot) if (this.has(slot)) slots[count++] = slot;
    return this.orders ? slots.sort((a, b) => this.order(a) - this.order(b)) : slots;
  }

  private idBytes(slot: number): Uint8Array {
    const { ids } = this;
    let at = this.addresses[slot]!;
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = ids[at++]!;
      length += (byte & 127) * factor;
      if (byte < 128) return ids.subarray(at, at + length);
    }
  }

  private writeId(slot: number, bytes: Uint8Array): void {
    // The length takes at most five bytes.
    this.ids = grown(this.ids, this.idsEnd + bytes.length + 5);
    this.addresses[slot] = this.idsEnd;
    let { length } = bytes;
    for (; length >= 128; length = Math.floor(length / 128)) this.ids[this.idsEnd++] = (length % 128) + 128;
    this.ids[this.idsEnd++] = length;
    this.ids.set(bytes, this.idsEnd);
    this.idsEnd += bytes.length;
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
    for (const slot of slots) this.buckets[this.bucketOf(this.idBytes(slot - 1))] = slot;
  }

  /** Empties a bucket, and moves those behind it that would no longer be found (Knuth, TAOCP 6.4, algorithm R). */
  private vacate(bucket: number): void {
    const { buckets } = this;
    const mask = buckets.length - 1;
    let empty = bucket;
    for (let at = (bucket + 1) & mask; buckets[at] !== 0; at = (at + 1) & mask) {
      const home = this.hash(this.idBytes(buckets[at]! - 1)) & mask;
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

/** UTF-8, but by UTF-16 units: any string survives it, even halves of surrogate pairs. */
function encoded(id: string): Uint8Array {
  const bytes = new Uint8Array(3 * id.length);
  let length = 0;
  for (let i = 0; i < id.length; ++i) {
    const unit = id.charCodeAt(i);
    if (unit < 0x80) bytes[length++] = unit;
    else {
      bytes[length++] = 0xe0 | (unit >> 12);
      bytes[length++] = 0x80 | ((unit >> 6) & 63);
      bytes[length++] = 0x80 | (unit & 63);
    }
  }
  return bytes.subarray(0, length);
}

function decoded(bytes: Uint8Array): string {
  let id = '';
  for (let i = 0; i < bytes.length; ++i) {
    const byte = bytes[i]!;
    if (byte < 0x80) id += String.fromCharCode(byte);
    else id += String.fromCharCode(((byte & 15) << 12) | ((bytes[++i]! & 63) << 6) | (bytes[++i]! & 63));
  }
  return id;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
