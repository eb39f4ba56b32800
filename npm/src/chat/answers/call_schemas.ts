// What a model must write to call a tool: the text around, and the JSON schema of what is between.

import { inputError, unsupported } from '../../base/errors.js';
import { isA } from '../../base/values.js';
import type { ToolDefinition } from '../types.js';
import { thoughts } from './formats.js';
import type { AnswerStyle } from './reader.js';

export interface CallSchema {
  before: string;
  schema: object;
  after: string;
}

/** Formats whose calls are JSON: a single one, or a list, under which name the arguments are, and what is around it. */
const written: Record<string, { isList: boolean; argumentsName: string; before: string; after: string }> = {
  Hermes: { isList: false, argumentsName: 'arguments', before: '<tool_call>\n', after: '\n</tool_call>' },
  'Llama 3': { isList: false, argumentsName: 'parameters', before: '', after: '' },
  Mistral: { isList: true, argumentsName: 'arguments', before: '[TOOL_CALLS]', after: '' },
  list: { isList: true, argumentsName: 'arguments', before: '<|tool_call|>', after: '' },
};

type Tool = ToolDefinition & { function?: ToolDefinition };
const definitionOf = (tool: Tool): ToolDefinition => (isA(tool.function, 'Object') ? tool.function! : tool);

/** `name`: the tool that must be called; otherwise any. */
export function callSchema({ calls, startsThinking }: AnswerStyle, tools: readonly ToolDefinition[], name: string | undefined): CallSchema {
  const form = calls && written[calls.name];
  if (!form) throw unsupported("toolChoice: the calls that this model writes cannot be required; use 'auto'");
  const chosen = tools.map(definitionOf).filter((tool) => name === undefined || tool.name === name);
  if (chosen.length === 0) throw inputError('out_of_range', `toolChoice: there is no tool '${name}'`);
  const one = chosen.map((tool) => ({
    type: 'object',
    properties: { name: { const: tool.name }, [form.argumentsName]: tool.parameters ?? { type: 'object' } },
    required: ['name', form.argumentsName],
    additionalProperties: false,
  }));
  const any = one.length === 1 ? one[0]! : { anyOf: one };
  const thinking = startsThinking ? `\n${thoughts.end}\n\n` : '';
  return {
    before: thinking + form.before,
    schema: form.isList ? { type: 'array', items: any, minItems: 1 } : any,
    after: form.after,
  };
}
