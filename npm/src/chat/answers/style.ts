// The format of a model's answers, found from its chat template, its prompt and the tools.

import type { ChatTemplateOptions } from '../types.js';
import type { CallFormat } from './formats.js';
import type { CallReading } from './reading.js';

export interface AnswerStyle {
  /** Undefined if the model does not think. */
  thoughts: ThoughtFormat | undefined;
  /** The prompt ends with the beginning of thoughts. */
  startsThinking: boolean;
  /** Undefined without tools. */
  calls: CallFormat | undefined;
  /** Reads the calls. */
  reading: CallReading;
}

/** The markers of a model's thoughts in its answer. */
export interface ThoughtFormat {
  begin: string;
  /** Follows `begin`, and is not a thought. */
  label: string;
  end: string;
  /** Text that templates write around `end` if there are no thoughts. */
  aroundEnd: readonly [before: string, after: string];
  /** The markers around the text of the answer, with thoughts or without. */
  aroundText?: readonly [begin: string, end: string];
}

/** Hunyuan's: https://github.com/vllm-project/vllm, vllm/reasoning/hunyuan_a13b_reasoning_parser.py. */
const aroundText = ['<answer>', '</answer>'] as const;

/** The second one is that of Ministral 3 and Magistral, the last one that of Gemma 4. */
const thoughtFormats: readonly ThoughtFormat[] = [
  { begin: '<think>', label: '', end: '</think>', aroundEnd: ['\n', '\n\n'] },
  { begin: '[THINK]', label: '', end: '[/THINK]', aroundEnd: ['', ''] },
  { begin: '<|channel>', label: 'thought\n', end: '<channel|>', aroundEnd: ['', ''] },
];

/** `prompt`: the formatted conversation. */
export function thinkingOf(template: string, prompt: string): Pick<AnswerStyle, 'thoughts' | 'startsThinking'> {
  const format = thoughtFormats.find(({ end }) => template.includes(end));
  const thoughts = format && template.includes(aroundText[0]) ? { ...format, aroundText } : format;
  const opening = thoughts && (thoughts.begin + thoughts.label).trimEnd();
  return { thoughts, startsThinking: opening !== undefined && prompt.trimEnd().endsWith(opening) };
}

const isGiven = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Variables of SmolLM3's template that expect tools: for calls as JSON, and as Python. */
const toolVariables = ['xml_tools', 'python_tools'];

export const hasTools = ({ tools, variables = {} }: ChatTemplateOptions): boolean =>
  isGiven(tools) || toolVariables.some((name) => isGiven(variables[name]));

/** Texts of the tokens that matter, which may be special tokens without their own text. */
export const markersOf = ({ thoughts, calls }: AnswerStyle): string[] =>
  [
    thoughts?.begin,
    thoughts?.end,
    ...(thoughts?.aroundText ?? []),
    calls?.begin,
    calls?.end,
    ...(calls?.inside ?? []),
  ].filter((text) => text !== undefined);
