// The options of commands that read records: the format of their lines, and the fields of JSON lines.
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { LINE_FORMATS, type RecordForm } from '../records/record_reader.js';
import { choiceOption } from './arguments.js';

export const RECORD_OPTIONS = section('Input lines', {
  lines: {
    type: 'string',
    value: 'L',
    help: '`text`, `jsonl`, or `auto` (default): the first line that is not blank decides',
  },
  'id-field': {
    type: 'string',
    value: 'NAME',
    help: 'field of the id in JSON lines, which every line must then have; default: `id`, which may be missing; implies `--lines jsonl`',
  },
  'text-field': {
    type: 'string',
    value: 'NAME',
    help: 'field of the text in JSON lines; default: `text`; implies `--lines jsonl`',
  },
});

const DEFAULT_TEXT = 'text';

export function recordForm(options: OptionValues<typeof RECORD_OPTIONS>): RecordForm {
  const lines = choiceOption('lines', options.lines, LINE_FORMATS) ?? 'auto';
  const { 'id-field': id, 'text-field': text } = options;
  const form = { id, text: text ?? DEFAULT_TEXT };
  if (id === undefined && text === undefined) return { ...form, lines };
  if (lines === 'text')
    throw new UsageError('--id-field and --text-field are for JSON lines and cannot be used with --lines text');
  if (form.text === (id ?? 'id')) throw new UsageError(`'${form.text}' cannot be both the id and the text`);
  return { ...form, lines: 'jsonl' };
}

/** Settings other than `lines` that change the index or shard made of the same lines; empty by default. */
export function fieldSettings({ id, text }: RecordForm): { idField?: string; textField?: string } {
  return {
    ...(id === undefined ? {} : { idField: id }),
    ...(text === DEFAULT_TEXT ? {} : { textField: text }),
  };
}
