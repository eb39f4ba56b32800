// Shows the facts that a file states about itself.

import type { ModelInfo } from 'quintet';

import { element } from '../shared/dom.js';
import { bytes, count, counted } from '../shared/numbers.js';
import type { Description } from './description.js';
import { formatNames } from './targets.js';

/** A file may hold longer texts than anybody reads, such as a chat template or a vocabulary. */
const longestText = 600;
const maxEntries = 500;

export function showFacts(host: HTMLElement, { chosen, format, infos, tensors }: Description): void {
  const rows: [string, string][] = [
    ['Format', format === 'folder' ? 'Hugging Face folder' : nameOf(infos[0]!)],
    ['Size', bytes(chosen.bytes ?? infos[0]!.fileSize)],
    [
      'Tensors',
      `${count(tensors.length)}, with ${counted(
        tensors.reduce((sum, { shape }) => sum + valuesIn(shape), 0),
        'value',
      )}`,
    ],
  ];
  const [info] = infos;
  if (format === 'folder') {
    rows.push(['Weights', chosen.models.map(({ name }) => name).join(', ') || 'no .safetensors file']);
  } else if (info) {
    if (info.memory) rows.push(['Memory', `about ${bytes(info.memory.load)} when loaded`]);
    rows.push(['Tokenizer', tokenizerWords(info)]);
  }
  host.replaceChildren(...rows.flatMap(([name, words]) => [element('dt', {}, name), element('dd', {}, words)]));
}

/** Metadata and configuration, each folded away. */
export function showFields(host: HTMLElement, { config, infos }: Description): void {
  const metadata = infos[0]?.metadata ?? {};
  const parts: [string, Record<string, unknown>][] = [['Metadata', metadata]];
  // Where the configuration of a file is its metadata, once is enough.
  if (!sameFields(metadata, config)) parts.push(['Configuration', config]);
  host.replaceChildren(
    ...parts.filter(([, fields]) => Object.keys(fields).length > 0).map(([title, fields]) => folded(title, fields)),
  );
}

function nameOf({ format, kind, version }: ModelInfo): string {
  const name = (formatNames as Record<string, string>)[format] ?? format;
  const more = kind.toLowerCase() === name.toLowerCase() ? '' : kind;
  return [name, version === undefined ? '' : [version].flat().join('.'), more && `(${more})`].filter(Boolean).join(' ');
}

function tokenizerWords({ tokenizer }: ModelInfo): string {
  if (!tokenizer) return 'none';
  const special = Object.entries(tokenizer.special).filter(([, id]) => id !== null);
  const ids = special.map(([name, id]) => `${name} ${id}`).join(', ');
  return `${tokenizer.type}, ${counted(tokenizer.size, 'token')}${ids && ` (${ids})`}`;
}

function folded(title: string, fields: Record<string, unknown>): HTMLElement {
  const entries = Object.entries(fields);
  const rows = entries
    .slice(0, maxEntries)
    .flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, textOf(value))]);
  if (entries.length > maxEntries) rows.push(element('dt', {}, `and ${count(entries.length - maxEntries)} more`));
  return element(
    'details',
    { className: 'fields' },
    element('summary', {}, `${title} (${count(entries.length)})`),
    element('dl', { className: 'pairs' }, ...rows),
  );
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longestText ? text : `${text.slice(0, longestText)} … (${count(text.length)} characters)`;
}

const sameFields = (a: Record<string, unknown>, b: Record<string, unknown>): boolean =>
  Object.keys(b).every((key) => key in a && textOf(a[key]) === textOf(b[key]));

const valuesIn = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);
