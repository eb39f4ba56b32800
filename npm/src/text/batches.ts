// Reads the items of an iterable, texts or objects with a text, in batches, at most one batch ahead.

import { abortable } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { nextTurn } from '../base/event_loop.js';
import { typeName } from '../base/values.js';

const batchItems = 32;
export const maxBatchChars = 8192;

type AnyIterator<T> = AsyncIterator<T> | Iterator<T>;

interface ItemKind<T> {
  /** For messages: 'texts must be an iterable of strings'. */
  expected: string;
  /** Throws for an item that is something else. */
  check(item: unknown, index: number): T;
  textOf(item: T): string;
}

export class Batches<T> {
  private readonly iterator: AnyIterator<T>;
  private pending: Promise<IteratorResult<T>> | undefined;
  private ended = false;
  private count = 0;

  constructor(
    items: Iterable<T> | AsyncIterable<T>,
    private readonly kind: ItemKind<T>,
  ) {
    this.iterator = iteratorOf(items, kind.expected);
  }

  /**
   * At least one item; none at the end. Waits only for the first item, so that items that are available do not wait for
   * a slow source. `maxChars`: the length of all texts after which no item is added.
   */
  async next(signal: AbortSignal | undefined, maxChars = maxBatchChars): Promise<T[]> {
    const batch: T[] = [];
    let chars = 0;
    let turn: Promise<undefined> | undefined;
    while (!this.ended && batch.length < batchItems && chars < maxChars) {
      this.pending ??= Promise.resolve(this.iterator.next());
      if (batch.length > 0) turn ??= nextTurn() as Promise<undefined>;
      const result = await (turn ? Promise.race([this.pending, turn]) : abortable(this.pending, signal));
      if (!result) break;
      this.pending = undefined;
      this.ended = result.done === true;
      if (this.ended) break;
      const item = this.kind.check(result.value, this.count++);
      batch.push(item);
      chars += this.kind.textOf(item).length;
    }
    return batch;
  }

  /** Informs the source that no more items will be read. */
  async close(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    const closing = Promise.resolve(this.iterator.return?.());
    // A source that hangs in next() would also hang in return().
    if (this.pending) closing.catch(() => {});
    else await closing;
  }
}

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>, expected: string): AnyIterator<T> {
  if (typeof items === 'object' && items !== null) {
    if (Symbol.asyncIterator in items) return items[Symbol.asyncIterator]();
    if (Symbol.iterator in items) return items[Symbol.iterator]();
  }
  throw inputError('wrong_type', `${expected}, not ${typeName(items)}`);
}
