// Many lists of bytes that grow in turns, in little memory: each is a chain of blocks, and blocks double in size, as in
// Lucene's ByteBlockPool.

import { grown } from '../../search/growing.js';

const pageBytes = 1 << 20;
const firstBlock = 16;
const largestBlock = 1 << 12;
/** At the end of a block: the address of the next one. */
const linkBytes = 4;

export class ListArena {
  private readonly pages: Uint8Array[] = [];
  private used = pageBytes;
  private firsts = new Uint32Array(0);
  /** The place of a list's next byte, and the end of its block. */
  private cursors = new Uint32Array(0);
  private ends = new Uint32Array(0);
  private sizes = new Uint32Array(0);
  private lists = 0;

  get size(): number {
    return this.lists;
  }

  /** Begins a list, and returns its number. */
  add(): number {
    const list = this.lists++;
    this.firsts = grown(this.firsts, this.lists);
    this.cursors = grown(this.cursors, this.lists);
    this.ends = grown(this.ends, this.lists);
    this.sizes = grown(this.sizes, this.lists);
    this.firsts[list] = this.block(firstBlock);
    this.cursors[list] = this.firsts[list]!;
    this.ends[list] = this.firsts[list]! + firstBlock - linkBytes;
    return list;
  }

  push(list: number, byte: number): void {
    if (this.cursors[list] === this.ends[list]) this.extend(list);
    const at = this.cursors[list]!;
    this.pages[Math.floor(at / pageBytes)]![at % pageBytes] = byte;
    this.cursors[list] = at + 1;
    this.sizes[list]! += 1;
  }

  /** An integer, as ByteWriter writes it. */
  pushNumber(list: number, value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.push(list, (rest & 0x7f) | 0x80);
    this.push(list, rest);
  }

  /** A copy of a list. */
  bytesOf(list: number): Uint8Array {
    const bytes = new Uint8Array(this.sizes[list]!);
    let from = this.firsts[list]!;
    let size = firstBlock;
    for (let at = 0; at < bytes.length; ) {
      const page = this.pages[Math.floor(from / pageBytes)]!;
      const offset = from % pageBytes;
      const room = size - linkBytes;
      bytes.set(page.subarray(offset, offset + Math.min(room, bytes.length - at)), at);
      at += room;
      from = linkOf(page).getUint32(offset + room);
      size = Math.min(2 * size, largestBlock);
    }
    return bytes;
  }

  private extend(list: number): void {
    const end = this.ends[list]!;
    const size = Math.min(2 * this.sizeOfBlock(list), largestBlock);
    const next = this.block(size);
    linkOf(this.pages[Math.floor(end / pageBytes)]!).setUint32(end % pageBytes, next);
    this.cursors[list] = next;
    this.ends[list] = next + size - linkBytes;
  }

  /** The last block's size follows from the number of bytes before it. */
  private sizeOfBlock(list: number): number {
    let size = firstBlock;
    for (let filled = size - linkBytes; filled < this.sizes[list]!; filled += size - linkBytes) {
      size = Math.min(2 * size, largestBlock);
    }
    return size;
  }

  private block(size: number): number {
    if (this.used + size > pageBytes) {
      this.pages.push(new Uint8Array(pageBytes));
      this.used = 0;
    }
    this.used += size;
    return (this.pages.length - 1) * pageBytes + this.used - size;
  }
}

const linkOf = (page: Uint8Array) => new DataView(page.buffer);
