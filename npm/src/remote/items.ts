// Items of a call on their way to their reader, who pulls them: what gives them waits when some are unread.

/** How far giving and reading are. */
class ItemFlow {
  given = 0;
  taken = 0;
  /** Whether all may come, however many are unread. */
  isOpen = false;
  /** Whether the reader wants no more. */
  isLeft = false;
  private waiting: (() => void)[] = [];

  /** `ahead`: most items that are unread. */
  constructor(readonly ahead: number) {}

  /** Whether another item may be given, or nobody wants one. */
  get hasRoom(): boolean {
    return this.isOpen || this.isLeft || this.given - this.taken < this.ahead;
  }

  /** Resolves when it has room. */
  room(): Promise<void> {
    return this.until(() => this.hasRoom);
  }

  /** Resolves when all items were read, or need not be. */
  read(): Promise<void> {
    return this.until(() => this.isOpen || this.isLeft || this.taken >= this.given);
  }

  protected async until(met: () => boolean): Promise<void> {
    while (!met()) {
      const changed = new Promise<void>((resolve) => this.waiting.push(resolve));
      this.unmet();
      await changed;
    }
  }

  /** Called where something is waited for. */
  protected unmet(): void {}

  protected changed(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}

/** Items of whatever kind, as the other side of a call has them. */
export type AnyItems = Pick<ItemQueue<unknown>, keyof ItemQueue<unknown>>;

/** Where a host gives the items of a call. */
export interface ItemSink<T> extends Pick<ItemFlow, 'taken' | 'isLeft' | 'hasRoom' | 'room' | 'read'> {
  give(item: T): void;
}

/** What the reader's side tells the other one. */
export interface ReadingState {
  taken: number;
  isOpen: boolean;
  isLeft: boolean;
}

/** The sink of a host whose reader is in another thread. */
export class RemoteItemSink<T> extends ItemFlow implements ItemSink<T> {
  /** `onWaiting` is called when nothing goes on before the reader does. */
  constructor(
    ahead: number,
    private readonly post: (item: T) => void,
    private readonly onWaiting: () => void,
  ) {
    super(ahead);
  }

  give(item: T): void {
    ++this.given;
    this.post(item);
  }

  update(state: ReadingState): void {
    Object.assign(this, state);
    this.changed();
  }

  protected override unmet(): void {
    this.onWaiting();
  }
}

/** Items that were given, until they are read. A sink for hosts in the same thread. */
export class ItemQueue<T> extends ItemFlow implements ItemSink<T> {
  /** Called when more was read, or reading has ended. */
  onRead: (() => void) | undefined;
  private readonly items: T[] = [];
  private isEnded = false;

  give(item: T): void {
    ++this.given;
    this.items.push(item);
    this.changed();
  }

  /** No more will come. */
  end(): void {
    this.isEnded = true;
    this.changed();
  }

  /** The next item, or undefined at the end. */
  async next(): Promise<T | undefined> {
    await this.until(() => this.items.length > 0 || this.isEnded || this.isLeft);
    if (this.isLeft || this.items.length === 0) return undefined;
    ++this.taken;
    const item = this.items.shift()!;
    this.tell();
    return item;
  }

  /** Lets all items come. */
  open(): void {
    this.isOpen = true;
    this.tell();
  }

  /** The reader wants no more than it took. */
  leave(): void {
    this.isLeft = true;
    this.tell();
  }

  private tell(): void {
    this.changed();
    this.onRead?.();
  }
}
