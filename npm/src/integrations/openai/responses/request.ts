// The request for a response.

import { oneOf, type Rule } from '../../../base/values.js';
import { type ChatRequest, efforts, effortVariables, optionsOf } from '../chat/request.js';
import { anything, boolean, Fields, list, object, text } from '../fields.js';
import { checkForm, formOf } from '../form.js';
import { commonRules, maxTokens } from '../sampling.js';
import { responseTools, toolOptions } from '../tools.js';
import { conversationOf } from './input.js';

const nothing: Rule = ['an empty array', (value) => Array.isArray(value) && value.length === 0];

const rules = {
  ...commonRules,
  // Services store responses by default. Here none is stored, and only a request for a stored one is an error.
  store: boolean,
  input: anything,
  instructions: text,
  max_output_tokens: maxTokens,
  stream: boolean,
  tools: list,
  tool_choice: anything,
  parallel_tool_calls: boolean,
  text: object,
  reasoning: object,
  include: nothing,
  truncation: oneOf('disabled'),
  background: oneOf(false),
};

export function responseRequestOf(body: unknown): ChatRequest {
  const fields = new Fields(body, rules);
  const messages = conversationOf(fields.require('input'), fields.get('instructions'));
  const reasoning = new Fields(fields.get('reasoning') ?? {}, { effort: efforts, summary: text }, 'reasoning');
  const form = new Fields(fields.get('text') ?? {}, { format: object }, 'text');
  const options = optionsOf(fields, {
    tools: toolOptions(responseTools(fields.get('tools') ?? []), fields),
    jsonSchema: formOf(form.get('format'), 'text.format'),
    variables: effortVariables(reasoning.get('effort')),
    maxTokens: fields.get('max_output_tokens'),
  });
  checkForm(options, 'text.format');
  return { fields, messages, options };
}
