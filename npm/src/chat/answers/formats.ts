// How models write their thoughts and calls of tools. Which of these a model uses, its chat template tells: it writes earlier
// calls in the same way.

import type { ToolCall } from '../types.js';
import { callsOfJson, callsOfMistral, callsOfDeepSeek } from './json_calls.js';
import { callsOfPython } from './python_calls.js';

export interface CallFormat {
  name: string;
  /** Whether a chat template is of a model that writes calls like this. */
  isOf(template: string): boolean;
  /** What begins a call, or several. Text or a special token; '' if the whole answer is a call or none. */
  begin: string;
  /** What ends it; without it, the end of the answer. */
  end?: string;
  /** The calls in the text between the two; undefined if they are none. */
  read(text: string): ToolCall[] | undefined;
  /**
   * What is around one call as JSON, in GBNF, where `begin` and `end` are that of the two above. Undefined if calls are not
   * JSON.
   */
  around?(begin: string, end: string): [before: string, after: string];
  /** What the arguments are called. Default 'arguments'. */
  argumentsName?: 'parameters';
}

const has = (...parts: string[]) => (template: string) => parts.every((part) => template.includes(part));

/** The first that fits is taken. */
export const callFormats: readonly CallFormat[] = [
  { name: 'Mistral', isOf: has('[TOOL_CALLS]'), begin: '[TOOL_CALLS]', read: callsOfMistral, around: (begin) => [`${begin} "["`, '"]"'] },
  { name: 'DeepSeek', isOf: has('<｜tool▁calls▁begin｜>'), begin: '<｜tool▁calls▁begin｜>', end: '<｜tool▁calls▁end｜>', read: callsOfDeepSeek },
  { name: 'LFM2', isOf: has('<|tool_list_start|>'), begin: '<|tool_call_start|>', end: '<|tool_call_end|>', read: callsOfPython },
  { name: 'Hermes', isOf: has('<tool_call>'), begin: '<tool_call>', end: '</tool_call>', read: callsOfJson, around: (begin, end) => [`${begin} "\\n"`, `"\\n" ${end}`] },
  // Granite and Phi-4-mini. Granite ends the answer after its calls.
  { name: 'list', isOf: has('<|tool_call|>'), begin: '<|tool_call|>', end: '<|/tool_call|>', read: callsOfJson, around: (begin, end) => [`${begin} "["`, `"]" ${end}?`] },
  { name: 'Llama 3', isOf: (template) => has('<|python_tag|>')(template) || has('ipython', 'parameters')(template), begin: '', read: callsOfJson, around: () => ['', ''], argumentsName: 'parameters' },
];

/** Where the thoughts of a model begin and end in its answer. */
export const thoughts = { begin: '<think>', end: '</think>' };

export const callFormatOf = (template: string): CallFormat | undefined => callFormats.find(({ isOf }) => isOf(template));

export const thinks = (template: string): boolean => template.includes(thoughts.end);
