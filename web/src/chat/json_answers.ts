// Answers as JSON that matches a schema, and what a program gets from them.

import type { GenerateOptions, GenerationSummary } from 'quintet';

import { byId, element } from '../shared/dom.js';

const switched = byId('as-json', HTMLInputElement);
const schema = byId('schema', HTMLTextAreaElement);
const parsed = byId('parsed', HTMLElement);

const EXAMPLE = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 20 }, age: { type: 'integer', minimum: 0, maximum: 120 }, happy: { type: 'boolean' } },
  required: ['name', 'age', 'happy'],
};
schema.value = JSON.stringify(EXAMPLE, null, 1);
switched.onchange = () => {
  byId('schema-field', HTMLElement).hidden = !switched.checked;
  parsed.replaceChildren();
};

/** @throws Error if the schema is not JSON */
export function jsonOption(): Pick<GenerateOptions, 'jsonSchema'> {
  if (!switched.checked) return {};
  try {
    return { jsonSchema: JSON.parse(schema.value) as object };
  } catch (error) {
    throw new Error(`The schema is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Shows the members of an answer, unless it was not asked for as JSON. */
export function showParsed(content: string, { reason }: GenerationSummary): void {
  parsed.replaceChildren();
  if (!switched.checked) return;
  const value = jsonIn(content);
  if (value === undefined) {
    const why = reason === 'length' ? 'It was cut off: allow more tokens.' : 'It was stopped.';
    return parsed.replaceChildren(element('p', { className: 'hint' }, `The answer is not complete. ${why}`));
  }
  const members = Object.entries(typeof value === 'object' && value !== null ? value : { value });
  const rows = members.flatMap(([name, member]) => [element('dt', {}, name), element('dd', {}, JSON.stringify(member))]);
  parsed.replaceChildren(element('dl', { className: 'pairs' }, ...rows));
}

/** Undefined if a text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
