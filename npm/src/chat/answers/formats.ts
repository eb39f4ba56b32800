// How models write their thoughts and calls of tools. Which of these a model uses, its chat template tells: it writes earlier
// calls in the same way.

import type { ToolCall, ToolDefinition } from '../types.js';
import { deepSeekCalls, jsonCalls, pythonCalls, type CallGrammar } from './call_grammars.js';
import { callsOfDeepSeek, callsOfJson, callsOfMistral } from './json_calls.js';
import { callsOfPython, callsOfPythonCode } from './python_calls.js';
import { callsOfXml } from './xml_calls.js';

export interface CallFormat {
  name: string;
  /** Whether a chat template, with these variables, is of a model that writes calls like this. */
  isOf(template: string, variables: Record<string, unknown>): boolean;
  /** What begins a call, or several. Text or a special token; '' if the whole answer is a call or none. */
  begin: string;
  /** What ends it; without it, the end of the answer. */
  end?: string;
  /** What else may be a special token, between the two. */
  inside?: readonly string[];
  /** The calls in the text between the two; undefined if they are none. */
  read(text: string, tools: readonly ToolDefinition[]): ToolCall[] | undefined;
  /** The grammar of an answer that is one call; undefined if none keeps values to the schema of a tool. */
  grammar?: CallGrammar;
}

const has = (...parts: string[]) => (template: string) => parts.every((part) => template.includes(part));

const isGiven = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Variables of SmolLM3's template that take tools: for calls as JSON, and as Python. */
export const toolVariables = ['xml_tools', 'python_tools'];

export const hasTools = (tools: readonly ToolDefinition[] | undefined, variables: Record<string, unknown>): boolean =>
  isGiven(tools) || toolVariables.some((name) => isGiven(variables[name]));

/** The first that fits is taken. */
export const callFormats: readonly CallFormat[] = [
  { name: 'Mistral', isOf: has('[TOOL_CALLS]'), begin: '[TOOL_CALLS]', inside: ['[ARGS]', '[CALL_ID]'], read: callsOfMistral, grammar: jsonCalls((begin) => [`${begin} "["`, '"]"']) },
  {
    name: 'DeepSeek',
    isOf: has('<｜tool▁calls▁begin｜>'),
    begin: '<｜tool▁calls▁begin｜>',
    end: '<｜tool▁calls▁end｜>',
    inside: ['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>'],
    read: callsOfDeepSeek,
    grammar: deepSeekCalls,
  },
  { name: 'LFM2', isOf: has('<|tool_list_start|>'), begin: '<|tool_call_start|>', end: '<|tool_call_end|>', read: callsOfPython, grammar: pythonCalls },
  // Its template also knows Hermes' form, for `xml_tools`: https://huggingface.co/HuggingFaceTB/SmolLM3-3B, chat_template.jinja.
  { name: "SmolLM3's Python", isOf: (template, { python_tools: python }) => has('python_tools', '<code>')(template) && isGiven(python), begin: '<code>', end: '</code>', read: callsOfPythonCode },
  { name: 'Qwen3-Coder', isOf: has('<tool_call>', '<function=', '<parameter='), begin: '<tool_call>', end: '</tool_call>', read: callsOfXml },
  { name: 'Hermes', isOf: has('<tool_call>'), begin: '<tool_call>', end: '</tool_call>', read: callsOfJson, grammar: jsonCalls((begin, end) => [`${begin} "\\n"`, `"\\n" ${end}`]) },
  // Granite and Phi-4-mini. Granite ends the answer after its calls.
  { name: 'list', isOf: has('<|tool_call|>'), begin: '<|tool_call|>', end: '<|/tool_call|>', read: callsOfJson, grammar: jsonCalls((begin, end) => [`${begin} "["`, `"]" ${end}?`]) },
  { name: 'Llama 3', isOf: (template) => has('<|python_tag|>')(template) || has('ipython', 'parameters')(template), begin: '', read: callsOfJson, grammar: jsonCalls(() => ['', ''], 'parameters') },
];

/** Where the thoughts of a model begin and end in its answer. */
export const thoughts = { begin: '<think>', end: '</think>' };

export const callFormatOf = (template: string, variables: Record<string, unknown> = {}): CallFormat | undefined =>
  callFormats.find(({ isOf }) => isOf(template, variables));

export const thinks = (template: string): boolean => template.includes(thoughts.end);
