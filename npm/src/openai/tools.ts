// Tools, and whether one must be called.

import type { ToolDefinition } from '../chat/types.js';
import type { GenerateOptions } from '../generate/types.js';
import { invalidField, unsupportedField } from './api_error.js';
import { anything, type Fields, object, readFields, required, text } from './fields.js';

const functionRules = { name: text, description: text, parameters: object, strict: anything };

/** Tools of chat completions: `{ type: 'function', function: { name, … } }`. */
export function chatTools(tools: readonly unknown[]): ToolDefinition[] {
  return tools.map((tool, i) => {
    const path = `tools[${i}]`;
    checkIsFunction(tool, path);
    const fields = readFields(tool, { type: anything, function: object }, path);
    return definitionOf(required(fields, 'function', `${path}.function`), `${path}.function`);
  });
}

/** Tools of responses: `{ type: 'function', name, … }`. */
export function responseTools(tools: readonly unknown[]): ToolDefinition[] {
  return tools.map((tool, i) => {
    checkIsFunction(tool, `tools[${i}]`);
    const { type: _type, ...definition } = tool as Fields;
    return definitionOf(definition, `tools[${i}]`);
  });
}

function checkIsFunction(tool: unknown, path: string): void {
  const type = (tool as Fields | null)?.['type'];
  if (type !== 'function') throw unsupportedField(`${path}.type`, `'${path}.type' must be 'function'`);
}

function definitionOf(definition: unknown, path: string): ToolDefinition {
  const fields = readFields(definition, functionRules, path);
  const { description, parameters } = fields;
  return {
    name: required<string>(fields, 'name', `${path}.name`),
    ...(description !== undefined && { description: description as string }),
    ...(parameters !== undefined && { parameters: parameters as object }),
  };
}

/** `{ type: 'function', function: { name } }` and `{ type: 'function', name }`, or a mode. */
export function toolChoiceOf(choice: unknown): NonNullable<GenerateOptions['toolChoice']> {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { type, name, function: named } = Object(choice) as Fields;
  const chosen = name ?? (Object(named) as Fields)['name'];
  if (type === 'function' && typeof chosen === 'string') return { name: chosen };
  throw invalidField('tool_choice', "'tool_choice' must be 'auto', 'none', 'required' or name a function");
}

/** What tools make of the options of a generation. */
export function toolOptions(
  tools: readonly ToolDefinition[],
  choice: unknown,
): Pick<GenerateOptions, 'chat' | 'toolChoice'> {
  if (tools.length === 0) {
    if (choice === undefined || choice === 'none' || choice === 'auto') return {};
    throw invalidField('tool_choice', "'tool_choice' needs 'tools'");
  }
  return { chat: { tools }, ...(choice !== undefined && { toolChoice: toolChoiceOf(choice) }) };
}
