// Answers that must call a tool: their grammar.

import { unsupported } from '../base/errors.js';
import type { CallFormat } from '../chat/answers/formats.js';
import type { ToolDefinition } from '../chat/types.js';
import { schemaText, type GrammarText } from '../grammar/source.js';

/** One call of one of the tools, as the model writes it. `special`: texts of special tokens, by their ids. */
export function grammarOfCall(
  tools: readonly ToolDefinition[],
  format: CallFormat | undefined,
  special: ReadonlyMap<number, string>,
): GrammarText {
  if (!format?.around) {
    throw unsupported(`generate: toolChoice cannot constrain ${format ? `calls in the form of ${format.name}` : 'a model whose chat template has no tools'}`);
  }
  const argumentsName = format.argumentsName ?? 'arguments';
  const anyOf = tools.map(({ name, parameters = { type: 'object' } }, index) => ({
    type: 'object',
    properties: { name: { const: name }, [argumentsName]: moved(parameters, `#/anyOf/${index}/properties/${argumentsName}`) },
    required: ['name', argumentsName],
    additionalProperties: false,
  }));
  const marker = (text: string) => {
    const [id] = [...special].find(([, written]) => written === text) ?? [];
    return id === undefined ? JSON.stringify(text) : `<[${id}]>`;
  };
  return { ...schemaText({ anyOf }, 'generate'), around: format.around(marker(format.begin), marker(format.end ?? '')) };
}

/** A schema that has another place in its document, to which its references must lead. */
function moved(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => moved(each, place));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#') ? place + value.slice(1) : moved(value, place),
    ]),
  );
}
