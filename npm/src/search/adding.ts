// Adds texts to an index with the vectors that its model gives them, batch by batch.

import { throwIfAborted } from '../base/abort.js';
import { checkText } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { callback } from '../base/rules.js';
import { checkOptions, isA, oneOf, type Rule, signal, typeName } from '../base/values.js';
import { Batches, maxBatchChars } from '../text/batches.js';
import { checkId, type IndexCore } from './index_core.js';
import { documentVectors } from './index_vectors.js';
import type { AddTextsOptions } from './search_options.js';
import type { EntryId, TextEntry } from './types.js';

const rules: Record<keyof AddTextsOptions, Rule> = {
  truncate: oneOf('end', 'error', 'chunk'),
  onTruncate: callback,
  onProgress: callback,
  signal,
};

const any: Rule = ['', () => true];
const entryRules: Record<keyof TextEntry, Rule> = { id: any, text: any, payload: any };

/** About how long a batch may take: a query that comes meanwhile waits until it ends. */
const batchMilliseconds = 100;
const minBatchChars = 256;

/** Returns the number of entries. */
export async function addTexts(
  core: IndexCore,
  entries: Iterable<TextEntry> | AsyncIterable<TextEntry>,
  options: AddTextsOptions | undefined,
): Promise<number> {
  checkOptions(options, rules, 'addTexts');
  if (!core.options.embedder) throw inputError('missing', 'addTexts: the index has no embedder');
  const { truncate, onTruncate, onProgress, signal } = options ?? {};
  void core.vectors;
  throwIfAborted(signal);
  const total = Array.isArray(entries) ? entries.length : Infinity;
  const batches = new Batches(entries, {
    expected: 'entries must be an iterable of objects',
    check: checkEntry,
    textOf: ({ text }) => text,
  });
  let done = 0;
  let maxChars = 4 * minBatchChars;
  try {
    await core.words?.collected();
    for (let batch; (batch = await batches.next(signal, maxChars)).length > 0; ) {
      const changed = new Set<EntryId>();
      const added = batch.filter(({ id, text }) => {
        if (!changed.has(id) && hasVectorOf(core, id, text)) return false;
        changed.add(id);
        return true;
      });
      const texts = added.map(({ text }) => text);
      const begin = performance.now();
      const vectors = await documentVectors(core, texts, {
        ...(truncate && { truncate }),
        ...(onTruncate && { onTruncate: (i, tokens) => onTruncate(done + batch.indexOf(added[i]!), tokens) }),
        ...(signal && { signal }),
      });
      if (texts.length > 0) maxChars = nextChars(maxChars, performance.now() - begin);
      const vectorOf = new Map(added.map((entry, i) => [entry, vectors[i]]));
      for (const entry of batch) {
        const vector = vectorOf.get(entry);
        if (vector) core.add({ ...entry, ...vector });
        else core.setPayload(entry.id, entry.payload);
        await yieldIfDue();
      }
      done += batch.length;
      onProgress?.(done, total);
      throwIfAborted(signal);
    }
  } finally {
    await batches.close();
  }
  return done;
}

/** Grows slowly: tokens may be denser in the next texts. */
const nextChars = (chars: number, milliseconds: number): number =>
  Math.max(minBatchChars, Math.min(maxBatchChars, 2 * chars, (chars * batchMilliseconds) / Math.max(1, milliseconds)));

/** Whether the index has the vector of this text already. */
function hasVectorOf(core: IndexCore, id: EntryId, text: string): boolean {
  const slot = core.entries.find(checkId(id));
  return slot !== undefined && core.entries.texts.get(slot) === text && core.hasVector(slot);
}

function checkEntry(entry: unknown, index: number): TextEntry {
  if (!isA(entry, 'Object'))
    throw inputError('wrong_type', `entry ${index} must be an object with an id and a text, not ${typeName(entry)}`);
  checkOptions(entry, entryRules, `addTexts: entry ${index}`);
  const { id, text } = entry as TextEntry;
  checkId(id);
  checkText(text, index);
  return entry as TextEntry;
}
