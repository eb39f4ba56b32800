// The options of chats.

import { inputError } from '../../base/errors.js';
import { integer } from '../../base/rules.js';
import { checkOptions, isA, type Rule, typeName } from '../../base/values.js';
import type { ToolDefinition } from '../../chat/types.js';
import { generateRules } from '../options.js';
import type { GenerateOptions } from '../types.js';
import type { ChatOptions, ChatTool } from './types.js';

const text: Rule = ['a string', (value) => typeof value === 'string'];
const rules = {
  system: text,
  messages: ['an array', Array.isArray] as Rule,
  tools: ['an array of objects, each with a function as run or without it', isToolList] as Rule,
  maxRounds: integer(0, 1000),
  template: text,
  variables: ['an object', (value: unknown) => isA(value, 'Object')] as Rule,
};

export interface TurnSettings {
  tools: readonly ChatTool[];
  maxRounds: number;
  /** Options for `generate`, which checks them. */
  options: GenerateOptions;
}

function isToolList(value: unknown): boolean {
  const isTool = (tool: unknown) => isA(tool, 'Object') && /^(undefined|function)$/.test(typeof (tool as ChatTool).run);
  return Array.isArray(value) && value.every(isTool);
}

/** The options of a turn: those of the chat, overridden by those of `send`. */
export function settingsOf(chatOptions: ChatOptions, sent: GenerateOptions): TurnSettings {
  if (!isA(chatOptions, 'Object'))
    throw inputError('wrong_type', `startChat: options must be an object, not ${typeName(chatOptions)}`);
  const { system, messages, tools: given, maxRounds = 8, template, variables, ...others } = chatOptions;
  checkOptions({ system, messages, tools: given, maxRounds, template, variables }, rules, 'startChat');
  if ('chat' in others)
    throw inputError('unknown_option', "startChat: there is no option 'chat': use template, tools and variables");
  checkOptions(others, generateRules, 'startChat');
  const tools = (sent.chat?.tools ?? given ?? []) as readonly ChatTool[];
  if (!isToolList(tools)) throw inputError('wrong_type', `send: option 'tools' must be ${rules.tools[0]}`);
  const chat = {
    ...(template !== undefined && { template }),
    ...(variables && { variables }),
    ...sent.chat,
    ...(tools.length > 0 && { tools: tools.map(({ run: _run, ...definition }) => definition as ToolDefinition) }),
  };
  return { tools, maxRounds, options: { ...others, ...sent, chat } };
}
