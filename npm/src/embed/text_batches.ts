// Reads texts of an iterable in batches, at most one batch ahead.

import { abortable } from '../base/abort.js';
import { checkText } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { nextTurn } from '../base/event_loop.js';
import { typeName } from '../base/values.js';

const batchTexts = 32;
const batchChars = 8192;

type TextIterator = AsyncIterator<string> | Iterator<string>;

export class TextBatches {
  private readonly iterator: TextIterator;
  private pending: Promise<IteratorResult<string>> | undefined;
  private ended = false;
  private count = 0;

  constructor(texts: Iterable<string> | AsyncIterable<string>) {
    this.iterator = iteratorOf(texts);
  }

  /**
   * At least one text; none at the end. Waits only for the first text, so that texts that are available do not wait for
   * a slow source.
   */
  async next(signal: AbortSignal | undefined): Promise<string[]> {
    const batch: string[] = [];
    let chars = 0;
    let turn: Promise<undefined> | undefined;
    while (!this.ended && batch.length < batchTexts && chars < batchChars) {
      this.pending ??= Promise.resolve(this.iterator.next());
      if (batch.length > 0) turn ??= nextTurn() as Promise<undefined>;
      const result = await (turn ? Promise.race([this.pending, turn]) : abortable(this.pending, signal));
      if (!result) break;
      this.pending = undefined;
      this.ended = result.done === true;
      if (this.ended) break;
      batch.push(checkText(result.value, this.count++));
      chars += batch.at(-1)!.length;
    }
    return batch;
  }

  /** Tells the source that no more texts will be read. */
  async close(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    const closing = Promise.resolve(this.iterator.return?.());
    // A source that hangs in next() would also hang in return().
    if (this.pending) closing.catch(() => {});
    else await closing;
  }
}

function iteratorOf(texts: Iterable<string> | AsyncIterable<string>): TextIterator {
  if (typeof texts === 'object' && texts !== null) {
    if (Symbol.asyncIterator in texts) return texts[Symbol.asyncIterator]();
    if (Symbol.iterator in texts) return texts[Symbol.iterator]();
  }
  throw inputError('wrong_type', `texts must be an iterable of strings, not ${typeName(texts)}`);
}
