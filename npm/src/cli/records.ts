// Lines as records: plain text, or JSON lines like {"id": "a", "title": "…", "text": "…"}.
import { QuintetError } from '../errors.js';
import type { Line } from './lines.js';

export const LINE_FORMATS = ['auto', 'text', 'jsonl'] as const;
export type LineFormat = (typeof LINE_FORMATS)[number];

export interface TextRecord {
  id?: string | number;
  title?: string;
  text: string;
  /** Everything else that the JSON line holds, as it is. */
  rest: Record<string, unknown>;
}

/** With 'auto' the first line that is not blank decides for the whole input. */
export class RecordReader {
  constructor(private format: LineFormat) {}

  /** Undefined for a blank line among JSON lines. */
  read(line: Line): TextRecord | undefined {
    if (this.format === 'auto' && line.text.trim() !== '') {
      this.format = detectFormat(line.text);
    }
    if (this.format !== 'jsonl') return { text: line.text, rest: {} };
    return line.text.trim() === '' ? undefined : parseRecord(line);
  }
}

export function detectFormat(firstLine: string): 'text' | 'jsonl' {
  if (!firstLine.trimStart().startsWith('{')) return 'text';
  try {
    JSON.parse(firstLine);
    return 'jsonl';
  } catch {
    return 'text';
  }
}

function parseRecord(line: Line): TextRecord {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw recordError(line, 'is not a JSON object');
  }
  const { id, title, text, ...rest } = value as Record<string, unknown>;
  if (typeof text !== 'string') throw recordError(line, 'has no "text"');
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    text,
    rest,
  };
}

function parseJson(line: Line): unknown {
  try {
    return JSON.parse(line.text);
  } catch {
    throw recordError(line, 'is not JSON');
  }
}

function recordError(line: Line, what: string): QuintetError {
  return new QuintetError('INPUT', `line ${line.number} ${what}`, {
    reason: 'malformed',
    offset: line.offset,
    format: 'jsonl',
  });
}
