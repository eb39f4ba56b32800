// Lines as records: plain text, or JSON lines like {"id": "a", "title": "…", "text": "…"}.
import type { QuintetError } from '../../base/errors.js';
import { type Line, lineError, type TextLine } from '../output/lines.js';

/** The fields of JSON lines that make up a record. */
export interface RecordFields {
  /** Undefined: `id`, which a record may do without. */
  id: string | undefined;
  text: string;
}

export interface TextRecord {
  line: Line;
  id?: string | number;
  title?: string;
  text: string;
  /** All other fields of the JSON line, unchanged. */
  rest: Record<string, unknown>;
  fault?: undefined;
}

/** A line without a usable text. */
export interface BadRecord {
  line: Line;
  id?: string | number;
  text?: undefined;
  fault: QuintetError;
}

export type InputRecord = TextRecord | BadRecord;

type JsonObject = Record<string, unknown>;

export function plainRecord(line: Line): InputRecord {
  return line.fault ? { line, fault: line.fault } : { line, text: line.text, rest: {} };
}

/** Undefined for a blank line. */
export function jsonRecord(line: Line, fields: RecordFields): InputRecord | undefined {
  if (line.fault) return { line, fault: line.fault };
  if (line.text.trim() === '') return undefined;
  const value = parseJson(line.text);
  if (value === undefined) return { line, fault: broken(line, 'is not JSON') };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, fault: broken(line, 'is not a JSON object') };
  }
  return objectRecord(line, value as JsonObject, fields);
}

function objectRecord(line: TextLine, value: JsonObject, fields: RecordFields): InputRecord {
  const { id: idField = 'id', text: textField } = fields;
  const id = own(value, idField);
  const text = own(value, textField);
  const faultOfId = id === undefined && fields.id === undefined ? undefined : problemOfId(id, idField, line);
  if (faultOfId !== undefined) return { line, fault: broken(line, faultOfId) };
  const known = id === undefined ? {} : { id: id as string | number };
  if (typeof text !== 'string') return { line, ...known, fault: broken(line, `has no ${JSON.stringify(textField)}`) };
  const { [idField]: _id, [textField]: _text, title, ...rest } = value;
  return { line, ...known, ...(typeof title === 'string' ? { title } : {}), text, rest };
}

/** An id must come back unchanged, and numbers in JSON may have more digits than JavaScript's. */
function problemOfId(id: unknown, field: string, { text }: TextLine): string | undefined {
  const name = JSON.stringify(field);
  if (typeof id === 'string') return undefined;
  if (id === undefined) return `has no ${name}`;
  if (typeof id !== 'number') return `has neither a string nor a number as ${name}`;
  const exact = Number.isInteger(id) ? Number.isSafeInteger(id) : text.includes(String(id));
  return exact ? undefined : `has a number as ${name} that JavaScript cannot hold exactly; use a string`;
}

function own(value: JsonObject, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

/** Undefined, which is not a JSON value, if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function broken(line: Line, what: string): QuintetError {
  return lineError('malformed', line, what, 'jsonl');
}
