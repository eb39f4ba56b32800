// How a model answers: what its chat template, its prompt and the tools say.

import type { ChatTemplateOptions } from '../types.js';
import type { CallFormat } from './formats.js';
import type { CallReading } from './reading.js';

export interface AnswerStyle {
  thinks: boolean;
  /** The prompt ends with the beginning of thoughts. */
  startsThinking: boolean;
  /** Undefined without tools. */
  calls: CallFormat | undefined;
  /** How calls are read. */
  reading: CallReading;
}

/** Where the thoughts of a model begin and end in its answer. */
export const thoughts = { begin: '<think>', end: '</think>' };

/** `prompt`: the formatted conversation. */
export function thinkingOf(template: string, prompt: string): Pick<AnswerStyle, 'thinks' | 'startsThinking'> {
  const thinks = template.includes(thoughts.end);
  return { thinks, startsThinking: thinks && prompt.trimEnd().endsWith(thoughts.begin) };
}

const isGiven = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Variables of SmolLM3's template that take tools: for calls as JSON, and as Python. */
const toolVariables = ['xml_tools', 'python_tools'];

export const hasTools = ({ tools, variables = {} }: ChatTemplateOptions): boolean =>
  isGiven(tools) || toolVariables.some((name) => isGiven(variables[name]));

/** Texts of the tokens that matter, which may be special tokens without a text of their own. */
export const markersOf = ({ thinks, calls }: AnswerStyle): string[] =>
  [...(thinks ? [thoughts.begin, thoughts.end] : []), calls?.begin, calls?.end, ...(calls?.inside ?? [])].filter(
    (text) => text !== undefined,
  );
