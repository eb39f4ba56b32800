// The readable description of a model.
import type { ModelInfo, TensorInfo } from '../../index.js';
import { readableBytes } from '../options/numbers.js';
import { alignColumns } from '../output/columns.js';

/** Characters of a value that are shown: a chat template, but not a whole file with a thousand labels. */
const MAX_SHOWN = 2000;

export function describeModel(info: ModelInfo): string {
  const { metadata, config } = info;
  return [
    facts(info),
    ...section('metadata', fieldRows(metadata)),
    // In some formats the configuration is the metadata: once is enough.
    ...(sameFields(metadata, config) ? [] : section('config', fieldRows(config))),
    ...section(`tensors (${info.tensors.length})`, alignColumns(info.tensors.map(tensorRow))),
  ].join('\n');
}

function facts(info: ModelInfo): string {
  const { title, kind, version, fileSize, tokenizer, memory, warnings = [] } = info;
  const { total = 0, active = 0 } = info.parameters ?? {};
  const rows = [
    ...(title === undefined ? [] : [['model', title]]),
    ['format', version === undefined ? kind : `${kind} ${[version].flat().join('.')}`],
    ['size', `${readableBytes(fileSize)}, ${total} values`],
    ...(active < total ? [['active', `${active} values for each token`]] : []),
    ...(memory ? [['memory', `about ${readableBytes(memory.load)} when loaded`]] : []),
    ['tokenizer', tokenizer === null ? 'none' : `${tokenizer.type}, ${tokenizer.size} tokens`],
  ];
  if (tokenizer) rows.push(['special', specialIds(tokenizer.special)]);
  for (const warning of warnings) rows.push(['warning', warning]);
  return alignColumns(rows).join('\n');
}

function specialIds(special: Record<string, number | null>): string {
  return Object.entries(special)
    .filter(([, id]) => id !== null)
    .map(([name, id]) => `${name} ${id}`)
    .join(', ');
}

function tensorRow(tensor: TensorInfo): string[] {
  return [tensor.name, typeOf(tensor), `[${tensor.shape.join(', ')}]`, readableBytes(tensor.bytes)];
}

function typeOf({ dtype, block, scaleType }: TensorInfo): string {
  if (block === undefined) return dtype;
  return [dtype, block === 0 ? 'whole' : `x${block}`, ...(scaleType ? [scaleType] : [])].join(' ');
}

function fieldRows(fields: Record<string, unknown>): string[] {
  return alignColumns(Object.entries(fields).map(([name, value]) => [name, shortened(valueText(value))]));
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)} … (${text.length} characters; --json shows all)`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return Object.keys(b).every((key) => key in a && valueText(a[key]) === valueText(b[key]));
}

function section(title: string, rows: string[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...rows.map((row) => `  ${row}`)];
}
