// Turns lines into records. With 'auto' the first line that is not blank decides the format of all.
import type { Line } from '../output/lines.js';
import { type InputRecord, jsonRecord, plainRecord, type RecordFields } from './records.js';

export const LINE_FORMATS = ['auto', 'text', 'jsonl'] as const;
export type LineFormat = (typeof LINE_FORMATS)[number];

export interface RecordForm extends RecordFields {
  lines: LineFormat;
}

/** Blank lines at the start after which the input is taken for plain text. */
const MAX_UNDECIDED = 1024;

/** As in `{"text": …` and `{}`, even if the rest is broken. */
const BEGINS_OBJECT = /^\s*\{\s*["}]/;

export class RecordReader {
  private lines: LineFormat;

  constructor(private readonly form: RecordForm) {
    this.lines = form.lines;
  }

  /** The format of the lines; 'auto' before the first batch. */
  get format(): LineFormat {
    return this.lines;
  }

  /** Records in order; blank lines among JSON lines are skipped. */
  async *batches(input: AsyncIterable<Line[]>): AsyncGenerator<InputRecord[]> {
    let undecided: Line[] = [];
    for await (const lines of input) {
      undecided = undecided.length === 0 ? lines : [...undecided, ...lines];
      if (this.lines === 'auto') this.lines = detectFormat(undecided) ?? 'auto';
      if (this.lines === 'auto' && undecided.length < MAX_UNDECIDED) continue;
      const records = this.recordsOf(undecided);
      undecided = [];
      if (records.length > 0) yield records;
    }
    if (undecided.length > 0) yield this.recordsOf(undecided);
  }

  private recordsOf(lines: Line[]): InputRecord[] {
    if (this.lines === 'auto') this.lines = 'text';
    if (this.lines === 'text') return lines.map(plainRecord);
    return lines.map((line) => jsonRecord(line, this.form)).filter((record) => record !== undefined);
  }
}

/** Undefined if all are blank or unreadable. */
export function detectFormat(lines: Line[]): Exclude<LineFormat, 'auto'> | undefined {
  const first = lines.find(({ text = '' }) => text.trim() !== '');
  if (first?.text === undefined) return undefined;
  return BEGINS_OBJECT.test(first.text) ? 'jsonl' : 'text';
}
