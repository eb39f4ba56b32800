// Records as JSON output.
import { float32Json } from '../options/numbers.js';
import type { EmbeddedRecord } from './record_embedder.js';
import type { BadRecord } from './records.js';

/** Everything but the vector. */
export function recordFacts(index: number, { record, tokens, truncated }: EmbeddedRecord): string {
  const { line, id } = record;
  return JSON.stringify({ index, line: line.number, id, tokens, truncated });
}

export function withEmbedding(facts: string, vector: Float32Array): string {
  return `${facts.slice(0, -1)},"embedding":${float32Json(vector)}}`;
}

/** `index`: its position among the records, if they are counted. */
export function errorRecord({ line, id, fault }: BadRecord, index?: number): string {
  const { code, reason, message, offset } = fault;
  return JSON.stringify({ index, line: line.number, id, error: { code, reason, message, offset } });
}
