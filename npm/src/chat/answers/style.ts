// How a model answers: what its chat template, its prompt and the tools say.

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
  /** How calls are read. */
  reading: CallReading;
}

/** How the thoughts of a model are written in its answer. */
export interface ThoughtFormat {
  begin: string;
  /** What follows `begin`, and is no thought. */
  label: string;
  end: string;
  /** What is around `end` where there are no thoughts, as templates write it. */
  aroundEnd: readonly [before: string, after: string];
}

/** The second one is that of Ministral 3 and Magistral, the last one that of Gemma 4. */
const thoughtFormats: readonly ThoughtFormat[] = [
  { begin: '<think>', label: '', end: '</think>', aroundEnd: ['\n', '\n\n'] },
  { begin: '[THINK]', label: '', end: '[/THINK]', aroundEnd: ['', ''] },
  { begin: '<|channel>', label: 'thought\n', end: '<channel|>', aroundEnd: ['', ''] },
];

/** `prompt`: the formatted conversation. */
export function thinkingOf(template: string, prompt: string): Pick<AnswerStyle, 'thoughts' | 'startsThinking'> {
  const thoughts = thoughtFormats.find(({ end }) => template.includes(end));
  const opening = thoughts && (thoughts.begin + thoughts.label).trimEnd();
  return { thoughts, startsThinking: opening !== undefined && prompt.trimEnd().endsWith(opening) };
}

const isGiven = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Variables of SmolLM3's template that take tools: for calls as JSON, and as Python. */
const toolVariables = ['xml_tools', 'python_tools'];

export const hasTools = ({ tools, variables = {} }: ChatTemplateOptions): boolean =>
  isGiven(tools) || toolVariables.some((name) => isGiven(variables[name]));

/** Texts of the tokens that matter, which may be special tokens without a text of their own. */
export const markersOf = ({ thoughts, calls }: AnswerStyle): string[] =>
  [thoughts?.begin, thoughts?.end, calls?.begin, calls?.end, ...(calls?.inside ?? [])].filter(
    (text) => text !== undefined,
  );
