// A form that has a field for each property of a JSON schema.

import { element } from '../shared/dom.js';

/** The parts of a schema that this page shows. Anything else is a field for JSON. */
interface Property {
  type?: string;
  title?: string;
  enum?: readonly unknown[];
}

export interface FormSchema {
  properties: Record<string, Property>;
}

/** The fields, filled from a value; without one they are empty. */
export function fieldsOf({ properties }: FormSchema, value: Record<string, unknown> = {}): HTMLElement[] {
  return Object.entries(properties).map(([name, property]) => {
    const control = controlOf(property, value[name]);
    control.name = name;
    const label = element('span', {}, property.title ?? name);
    return control.type === 'checkbox'
      ? element('label', { className: 'switch' }, control, label)
      : element('label', { className: 'field' }, label, control);
  });
}

function controlOf({ type, enum: choices }: Property, value: unknown): HTMLInputElement | HTMLSelectElement {
  if (choices) {
    const options = ['', ...choices.map(String)].map((choice) => element('option', { value: choice }, choice));
    const select = element('select', {}, ...options);
    select.value = textOf(value);
    return select;
  }
  if (type === 'boolean') return element('input', { type: 'checkbox', checked: value === true });
  const kind = type === 'integer' || type === 'number' ? 'number' : 'text';
  return element('input', { type: kind, value: textOf(value), ...(type === 'number' && { step: 'any' }) });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The schema in a text. @throws Error with a sentence for the visitor */
export function formSchemaIn(text: string): FormSchema {
  const schema = JSON.parse(text) as Partial<FormSchema> | null;
  if (typeof schema?.properties !== 'object' || schema.properties === null)
    throw new Error('A form needs a schema with "properties".');
  return schema as FormSchema;
}
