// The entries of a saved search index as JSON: an array of objects with `id` and, if the entry has them, `text` and
// `payload`. `vector` is false if it has no vector; then its row is 0.

import { inputError, messageOf, QuintetError } from '../base/errors.js';
import { isA } from '../base/values.js';
import { broken } from './index_tensors.js';
import { elementsOf } from './json_array.js';
import type { EntryId } from './types.js';

export interface SavedEntry {
  id: EntryId;
  text: string | undefined;
  payload: unknown;
  hasVector: boolean;
}

export function entryJson({ id, text, payload, hasVector }: SavedEntry): string {
  const members = [`"id":${JSON.stringify(id)}`];
  if (text !== undefined) members.push(`"text":${JSON.stringify(text)}`);
  if (payload !== undefined) members.push(`"payload":${payloadJson(id, payload)}`);
  if (!hasVector) members.push('"vector":false');
  return `{${members.join(',')}}`;
}

function payloadJson(id: EntryId, payload: unknown): string {
  try {
    const json = JSON.stringify(payload) as string | undefined;
    if (json !== undefined) return json;
  } catch (cause) {
    const message = `the payload of '${id}' cannot be saved: ${messageOf(cause)}`;
    throw new QuintetError('INPUT', message, { reason: 'wrong_type', cause });
  }
  throw inputError('wrong_type', `the payload of '${id}' cannot be saved as JSON`);
}

/** @throws QuintetError FORMAT */
export function* entriesIn({ data }: { data: Uint8Array }): Generator<SavedEntry, void, undefined> {
  const seen = new Set<EntryId>();
  for (const entry of elementsOf(data, tensor)) {
    const saved = savedEntry(entry);
    if (seen.has(saved.id)) throw broken('duplicate', `the id ${JSON.stringify(saved.id)} occurs twice`, tensor);
    seen.add(saved.id);
    yield saved;
  }
}

const tensor = 'entries';

function savedEntry(value: unknown): SavedEntry {
  if (!isA(value, 'Object')) throw broken('malformed', 'an entry is not an object', tensor);
  const { id, text, payload, vector, ...others } = value as Record<string, unknown>;
  const isId = typeof id === 'string' || Number.isFinite(id);
  const isText = text === undefined || typeof text === 'string';
  const isVector = vector === undefined || vector === false;
  if (isId && isText && isVector && Object.keys(others).length === 0) {
    return { id: id as EntryId, text, payload, hasVector: vector === undefined };
  }
  throw broken('malformed', `an entry that is not { id, text, payload, vector }`, tensor);
}
