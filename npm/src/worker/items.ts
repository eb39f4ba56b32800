// The items of a call, such as tokens. The reader pulls them: the producer waits when too many are unread.

import { nextTurn } from '../base/event_loop.js';

/** The state of producer and reader. */
class ItemFlow {
  given = 0;
  taken = 0;
  /** Whether items may be given without limit. */
  isUnlimited = false;
  /** Whether the reader has stopped. */
  isCancelled = false;
  private waiting: (() => void)[] = [];

  /** `ahead`: maximum number of unread items. */
  constructor(readonly ahead: number) {}

  /** Whether another item may be given. True if the reader has stopped. */
  get hasRoom(): boolean {
    return this.mayHave(this.ahead);
  }

  /** Resolves when there is room. */
  room(): Promise<void> {
    return this.until(() => this.hasRoom);
  }

  /** Resolves when all items were read, or need not be read. */
  read(): Promise<void> {
    return this.until(() => this.mayHave(1));
  }

  /** Whether fewer items than `unread` are unread, or no reader counts them. */
  private mayHave(unread: number): boolean {
    return this.isUnlimited || this.isCancelled || this.given - this.taken < unread;
  }

  protected async until(met: () => boolean): Promise<void> {
    while (!met()) {
      const changed = new Promise<void>((resolve) => this.waiting.push(resolve));
      this.unmet();
      await changed;
    }
  }

  /** Called before waiting. */
  protected unmet(): void {}

  protected changed(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}

/** A queue of items of any type. */
export type AnyItems = Pick<ItemQueue<unknown>, keyof ItemQueue<unknown>>;

/** Receives the items of a host. */
export interface ItemSink<T> extends Pick<ItemFlow, 'taken' | 'isCancelled' | 'hasRoom' | 'room' | 'read'> {
  give(item: T): void;
}

/** The reader's state, sent to the producer's thread. */
export interface ReadingState {
  taken: number;
  isUnlimited: boolean;
  isCancelled: boolean;
}

// A message costs as much as several tokens of a small model, so items within this time (in ms) share one.
const togetherMs = 1;

/** The sink of a host whose reader is in another thread. */
export class RemoteItemSink<T> extends ItemFlow implements ItemSink<T> {
  private unsent: T[] = [];
  private lastSent = 0;
  /** Number of reading states received. */
  private heard = 0;

  /** `onWaiting` is called when the producer has to wait for the reader, as of the reading state with this number. */
  constructor(
    ahead: number,
    private readonly post: (items: readonly T[]) => void,
    private readonly onWaiting: (heard: number) => void,
  ) {
    super(ahead);
  }

  give(item: T): void {
    ++this.given;
    this.unsent.push(item);
    if (this.unsent.length >= this.ahead / 2 || performance.now() - this.lastSent >= togetherMs) this.send();
  }

  /** Sends the collected items. */
  send(): void {
    if (this.unsent.length === 0) return;
    this.post(this.unsent);
    this.unsent = [];
    this.lastSent = performance.now();
  }

  update(state: ReadingState): void {
    Object.assign(this, state);
    ++this.heard;
    this.changed();
  }

  /** A message of the reader may already be queued, so the event loop gets a turn first. */
  protected override async until(met: () => boolean): Promise<void> {
    this.send();
    if (!met()) await nextTurn();
    await super.until(met);
  }

  protected override unmet(): void {
    this.onWaiting(this.heard);
  }
}

/** Holds items until they are read. The sink of hosts in the same thread. */
export class ItemQueue<T> extends ItemFlow implements ItemSink<T> {
  /** Called when the reading state changes. */
  onRead: (() => void) | undefined;
  private readonly items: T[] = [];
  private isEnded = false;

  give(item: T): void {
    ++this.given;
    this.items.push(item);
    this.changed();
  }

  /** No more items will be given. */
  end(): void {
    this.isEnded = true;
    this.changed();
  }

  /** The next item, or undefined at the end. */
  async next(): Promise<T | undefined> {
    await this.until(() => this.items.length > 0 || this.isEnded || this.isCancelled);
    if (this.isCancelled || this.items.length === 0) return undefined;
    ++this.taken;
    const item = this.items.shift()!;
    this.tell();
    return item;
  }

  /** Removes the limit of unread items. */
  open(): void {
    this.isUnlimited = true;
    this.tell();
  }

  /** The reader stops. */
  leave(): void {
    this.isCancelled = true;
    this.tell();
  }

  private tell(): void {
    this.changed();
    this.onRead?.();
  }
}
