// Tools, and whether one must be called.

import { oneOf } from '../../base/values.js';
import type { ToolDefinition } from '../../chat/types.js';
import type { GenerateOptions } from '../../generate/types.js';
import { invalidField, unsupportedField } from './api_error.js';
import { anything, Fields, given, object, text } from './fields.js';

const type = oneOf('function');
const functionRules = { name: text, description: text, parameters: object, strict: anything };

/** Tools of chat completions: `{ type: 'function', function: { name, … } }`. */
export function chatTools(tools: readonly unknown[]): ToolDefinition[] {
  return tools.map((tool, i) => {
    const fields = new Fields(tool, { type, function: object }, `tools[${i}]`);
    return definitionOf(new Fields(fields.require('function'), functionRules, fields.pathOf('function')));
  });
}

/** Tools of responses: `{ type: 'function', name, … }`. */
export function responseTools(tools: readonly unknown[]): ToolDefinition[] {
  return tools.map((tool, i) => {
    // Built-in tools have other fields: their type is the unsupported part.
    if (Object(tool).type !== 'function') throw unsupportedField(`tools[${i}].type`, ", unless it is 'function'");
    return definitionOf(new Fields(tool, { type, ...functionRules }, `tools[${i}]`));
  });
}

const definitionOf = (fields: Fields): ToolDefinition =>
  given<ToolDefinition>({
    name: fields.require('name'),
    description: fields.get('description'),
    parameters: fields.get('parameters'),
  });

/** `{ type: 'function', function: { name } }` and `{ type: 'function', name }`, or a mode. */
function toolChoiceOf(choice: unknown): NonNullable<GenerateOptions['toolChoice']> {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { type: kind, name, function: named } = Object(choice);
  const chosen = name ?? Object(named).name;
  if (kind === 'function' && typeof chosen === 'string') return { name: chosen };
  throw invalidField('tool_choice', "'auto', 'none', 'required' or a function");
}

/** The options of a generation that tools determine. */
export function toolOptions(
  tools: readonly ToolDefinition[],
  fields: Fields,
): Pick<GenerateOptions, 'chat' | 'toolChoice'> {
  const choice = fields.get('tool_choice');
  const toolChoice = choice === undefined ? undefined : toolChoiceOf(choice);
  if (tools.length > 0) return given<GenerateOptions>({ chat: { tools }, toolChoice });
  if (toolChoice === undefined || toolChoice === 'none' || toolChoice === 'auto') return {};
  throw unsupportedField('tool_choice', " without 'tools'");
}
