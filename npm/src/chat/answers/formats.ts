// Formats of tool calls. The chat template shows which of these a model uses: it writes earlier calls in the same
// format.

import type { ToolDefinition } from '../types.js';
import type { CallGrammar } from './call_grammars.js';
import type { StreamCalls } from './call_stream.js';
import { type CallValues, gemmaStrings, jsonStrings, pythonStrings, taggedValues } from './call_values.js';
import { callsOfGemma, gemmaQuote, gemmaStream } from './gemma_calls.js';
import { deepSeekStream, hunyuanStream, jsonStream, mistralStream } from './json_call_stream.js';
import {
  callsOfBareJson,
  callsOfDeepSeek,
  callsOfDict,
  callsOfHunyuan,
  callsOfJson,
  callsOfMistral,
  opensBareJson,
} from './json_calls.js';
import { pythonStream } from './python_call_stream.js';
import { callsOfPython, callsOfPythonCode } from './python_calls.js';
import type { ReadCalls } from './reading.js';
import { xmlStream } from './xml_call_stream.js';
import { callsOfXml } from './xml_calls.js';

/** They are loaded only for answers that must call a tool. */
type Grammars = typeof import('./grammars.js');

export interface CallFormat {
  name: string;
  /** Whether a chat template, with these variables, is of a model that writes calls like this. */
  isOf(template: string, variables: Record<string, unknown>): boolean;
  /** Begins one or more calls: text or a special token. */
  begin: string;
  /** The marker that ends it; by default, the end of the answer. */
  end?: string;
  /** Follows `begin` in a call that ends thoughts: some models do not end them first. */
  inThoughts?: string;
  /** Other texts between the two that may be special tokens. */
  inside?: readonly string[];
  /** Follows values that may contain the text of an end marker. */
  values?: () => CallValues;
  /** Reads the text between the two. */
  read: ReadCalls;
  /** Streams them while they are written. */
  stream: StreamCalls;
  /**
   * Calls may also be the whole answer, without a marker. `opens`: whether it begins like one; undefined until that is
   * known.
   */
  bare?: { opens(text: string, tools: readonly ToolDefinition[]): boolean | undefined; read: ReadCalls };
  /** The grammar of an answer that is one call; undefined if none keeps values to the schema of a tool. */
  grammar?(grammars: Grammars): CallGrammar;
}

const has =
  (...parts: string[]) =>
  (template: string) =>
    parts.every((part) => template.includes(part));

/** The first match is used. */
export const callFormats: readonly CallFormat[] = [
  {
    name: 'Mistral',
    isOf: has('[TOOL_CALLS]'),
    begin: '[TOOL_CALLS]',
    inside: ['[ARGS]', '[CALL_ID]'],
    read: callsOfMistral,
    stream: mistralStream,
    grammar: ({ jsonCalls }) => jsonCalls((begin) => [`${begin} "["`, '"]"']),
  },
  {
    name: 'DeepSeek',
    isOf: has('<｜tool▁calls▁begin｜>'),
    begin: '<｜tool▁calls▁begin｜>',
    end: '<｜tool▁calls▁end｜>',
    inside: ['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>'],
    values: jsonStrings,
    read: callsOfDeepSeek,
    stream: deepSeekStream,
    grammar: ({ deepSeekCalls }) => deepSeekCalls,
  },
  {
    name: 'LFM2',
    // The first templates have only the list, those of LFM2.5 only the call.
    isOf: (template) => has('<|tool_list_start|>')(template) || has('<|tool_call_start|>')(template),
    begin: '<|tool_call_start|>',
    end: '<|tool_call_end|>',
    values: pythonStrings,
    // In llama.cpp's template for it, they are JSON.
    read: (text, reading) => callsOfPython(text, reading) ?? callsOfJson(text, reading),
    stream: pythonStream,
    grammar: ({ pythonCalls }) => pythonCalls('[', ']'),
  },
  {
    name: 'OLMo 3',
    isOf: has('<function_calls>'),
    begin: '<function_calls>',
    end: '</function_calls>',
    values: pythonStrings,
    read: callsOfPythonCode,
    stream: pythonStream,
    grammar: ({ pythonCalls }) => pythonCalls('', ''),
  },
  {
    name: 'Gemma 4',
    isOf: has('<|tool_call>', '<tool_call|>'),
    begin: '<|tool_call>',
    end: '<tool_call|>',
    inside: [gemmaQuote],
    values: gemmaStrings,
    read: callsOfGemma,
    stream: gemmaStream,
    grammar: ({ gemmaCalls }) => gemmaCalls,
  },
  // Its template also has Hermes' form, for `xml_tools`: https://huggingface.co/HuggingFaceTB/SmolLM3-3B,
  // chat_template.jinja.
  {
    name: "SmolLM3's Python",
    isOf: (template, { python_tools: python }) =>
      has('python_tools', '<code>')(template) && Array.isArray(python) && python.length > 0,
    begin: '<code>',
    end: '</code>',
    values: pythonStrings,
    read: callsOfPythonCode,
    stream: pythonStream,
  },
  // Qwen3.5 too.
  {
    name: 'Qwen3-Coder',
    isOf: has('<tool_call>', '<function=', '<parameter='),
    begin: '<tool_call>',
    end: '</tool_call>',
    inThoughts: '\n<function=',
    values: taggedValues,
    read: callsOfXml,
    stream: xmlStream,
    grammar: ({ taggedCalls }) => taggedCalls,
  },
  // Read as in ms-swift: https://github.com/modelscope/ms-swift, swift/llm/template/agent_template/hermes.py.
  {
    name: 'Hunyuan',
    isOf: has('<tool_calls>', '<tool_call>', '```json'),
    begin: '<tool_calls>',
    end: '</tool_calls>',
    inside: ['<tool_call>', '</tool_call>'],
    values: jsonStrings,
    read: callsOfHunyuan,
    stream: hunyuanStream,
    grammar: ({ hunyuanCalls }) => hunyuanCalls,
  },
  {
    name: 'Hermes',
    isOf: has('<tool_call>'),
    begin: '<tool_call>',
    end: '</tool_call>',
    values: jsonStrings,
    read: callsOfDict,
    stream: jsonStream,
    grammar: ({ jsonCalls }) => jsonCalls((begin, end) => [`${begin} "\\n"`, `"\\n" ${end}`]),
  },
  // Granite and Phi-4-mini. Granite ends the answer after its calls.
  {
    name: 'list',
    isOf: has('<|tool_call|>'),
    begin: '<|tool_call|>',
    end: '<|/tool_call|>',
    values: jsonStrings,
    read: callsOfJson,
    stream: jsonStream,
    grammar: ({ jsonCalls }) => jsonCalls((begin, end) => [`${begin} "["`, `"]" ${end}?`]),
  },
  {
    name: 'Llama 3',
    isOf: (template) => has('<|python_tag|>')(template) || has('ipython', 'parameters')(template),
    begin: '<|python_tag|>',
    read: callsOfJson,
    stream: jsonStream,
    bare: { opens: opensBareJson, read: callsOfBareJson },
    grammar: ({ jsonCalls }) => jsonCalls(() => ['', ''], 'parameters'),
  },
];

export const callFormatOf = (template: string, variables: Record<string, unknown> = {}): CallFormat | undefined =>
  callFormats.find(({ isOf }) => isOf(template, variables));
