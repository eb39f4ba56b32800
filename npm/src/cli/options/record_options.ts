// The options of commands that read records: what their lines are, and where JSON lines have what.
import { UsageError } from '../ending.js';
import { choiceOption } from './arguments.js';
import type { OptionTable, OptionValues } from '../command.js';
import { LINE_FORMATS, type RecordForm } from '../records/record_reader.js';

export const RECORD_OPTIONS = {
  lines: { type: 'string' },
  'id-field': { type: 'string' },
  'text-field': { type: 'string' },
} as const satisfies OptionTable;

export const RECORD_HELP = `  --lines L               auto (default: the first line decides), text or jsonl
  --id-field NAME         where JSON lines have the id; each must have one. Default: "id", if any
  --text-field NAME       where JSON lines have the text; default "text"`;

const DEFAULT_TEXT = 'text';

export function recordForm(options: OptionValues<typeof RECORD_OPTIONS>): RecordForm {
  const lines = choiceOption('lines', options.lines, LINE_FORMATS) ?? 'auto';
  const { 'id-field': id, 'text-field': text } = options;
  const form = { id, text: text ?? DEFAULT_TEXT };
  if (id === undefined && text === undefined) return { ...form, lines };
  if (lines === 'text') throw new UsageError('--id-field and --text-field are for JSON lines, not for --lines text');
  if (form.text === (id ?? 'id')) throw new UsageError(`'${form.text}' cannot be both the id and the text`);
  return { ...form, lines: 'jsonl' };
}

/** What of the form makes another index or shard of the same lines, beside `lines`; nothing by default. */
export function fieldSettings({ id, text }: RecordForm): { idField?: string; textField?: string } {
  return {
    ...(id === undefined ? {} : { idField: id }),
    ...(text === DEFAULT_TEXT ? {} : { textField: text }),
  };
}
