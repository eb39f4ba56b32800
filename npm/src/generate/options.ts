// Checks prompts and options of generations, and converts them to the form that the host expects.

import { checkIds, checkText, wellFormed } from '../base/arguments.js';
import { inputError, messageOf, requireGlobals } from '../base/errors.js';
import {
  boolean,
  callback,
  checkFormat,
  checkLoadOptions,
  either,
  formatRule,
  integer,
  numberBetween,
} from '../base/rules.js';
import { checkOptions, isA, oneOf, type Rule, signal, typeName } from '../base/values.js';
import type { ChatMessage, ChatTemplateOptions } from '../chat/types.js';

import type { Grammar } from '../grammar/types.js';
import type { CallOptions } from '../worker/calls.js';
import type { GenerationRequest, PromptInput } from './calls.js';
import type {
  GenerateOptions,
  GeneratorLoadOptions,
  LogitsOptions,
  PerplexityOptions,
  Prompt,
  TokenizeOptions,
} from './types.js';

const penalty = numberBetween(-1000, 1000);
const maxInteger = Number.MAX_SAFE_INTEGER;

export const generateRules: Record<keyof GenerateOptions, Rule> = {
  maxTokens: integer(1, maxInteger),
  temperature: numberBetween(0, 100),
  topK: integer(0, maxInteger),
  topP: ['a number above 0 and at most 1', (value) => typeof value === 'number' && value > 0 && value <= 1],
  minP: numberBetween(0, 1),
  repetitionPenalty: numberBetween(0.001, 1000),
  frequencyPenalty: penalty,
  presencePenalty: penalty,
  seed: integer(0, maxInteger),
  stop: [
    'an array of at most 64 non-empty strings',
    (value) => Array.isArray(value) && value.length <= 64 && value.every((text) => typeof text === 'string' && text),
  ],
  logprobs: integer(0, 20),
  grammar: [
    'a text in GBNF or a compiled grammar',
    (value) => typeof value === 'string' || typeof (value as Grammar)?.gbnf === 'string',
  ],
  jsonSchema: [
    'a JSON schema, a Standard Schema or true',
    (value) => value === true || typeof value === 'function' || isA(value, 'Object'),
  ],
  logitBias: ['an object with a number below Infinity for token ids', isLogitBias],
  chat: ['an object', (value) => isA(value, 'Object')],
  toolChoice: ['', () => true], // checked with the conversation
  largeIntegers: oneOf('number', 'bigint'),
  signal,
  logitsProcessor: callback,
  onPrefill: callback,
};

/** A conversation that is still to be formatted. */
export interface Conversation {
  messages: readonly ChatMessage[];
  options: ChatTemplateOptions;
  /** Not checked yet. */
  toolChoice?: GenerateOptions['toolChoice'];
  largeIntegers?: GenerateOptions['largeIntegers'];
}

/** What `generate` was asked for. */
export type GenerationPlan = Omit<GenerationRequest, 'prompt' | 'grammar'> & {
  prompt: PromptInput | Conversation;
  /** Whether there is a grammar or a JSON schema. */
  isConstrained: boolean;
};

/** `replace`: every prompt replaces the content of the session, not only conversations. */
export function planOf(prompt: Prompt, options: GenerateOptions, replace: boolean): GenerationPlan {
  checkOptions(options, generateRules, 'generate');
  const { signal: _signal, chat, toolChoice, logitsProcessor, onPrefill: _onPrefill, stop, seed, ...others } = options;
  const { grammar, jsonSchema, logitBias, largeIntegers, ...sampling } = others;
  const isConversation = Array.isArray(prompt) && isA(prompt[0], 'Object');
  if (!isConversation && (chat ?? toolChoice) !== undefined) {
    throw inputError('mismatch', "generate: options 'chat' and 'toolChoice' need a list of messages as the prompt");
  }
  const input = isConversation
    ? { ...conversationOf(prompt as readonly ChatMessage[], chat, toolChoice), largeIntegers }
    : promptOf(prompt as string | readonly number[]);
  return {
    prompt: input,
    replace: replace || isConversation,
    sampling: JSON.stringify({
      ...sampling,
      ...randomness(seed),
      stop: stop?.map(wellFormed),
      // JSON writes -Infinity as null.
      logitBias: logitBias && Object.entries(logitBias).map(([id, bias]) => [Number(id), bias]),
    }),
    isConstrained: (grammar ?? jsonSchema) !== undefined,
    processed: logitsProcessor !== undefined,
  };
}

function isLogitBias(value: unknown): boolean {
  const entries: [string, unknown][] = isA(value, 'Object') ? Object.entries(value as object) : [['', value]];
  return entries.every(([id, bias]) => /^\d{1,10}$/.test(id) && typeof bias === 'number' && bias < Infinity);
}

/** Without a seed, the random state of a loaded cache continues, if it has one. */
const randomness = (seed: number | undefined) =>
  seed === undefined ? { seed: Math.floor(Math.random() * maxInteger), resumes: true } : { seed };

const promptOf = (prompt: string | readonly number[]): PromptInput =>
  typeof prompt === 'string' ? { text: prompt } : { ids: checkIds(prompt) };

/** A copy: the caller may change the messages while the call waits. Tools may have schemas that cannot be copied. */
export function conversationOf(
  messages: readonly ChatMessage[],
  options: ChatTemplateOptions = {},
  toolChoice?: GenerateOptions['toolChoice'],
): Conversation {
  requireGlobals('structuredClone');
  if (!isA(options, 'Object')) throw inputError('wrong_type', `options must be an object, not ${typeName(options)}`);
  try {
    const { tools, ...others } = options;
    const copy = structuredClone({ messages, options: others, ...(toolChoice !== undefined && { toolChoice }) });
    return { ...copy, options: { ...copy.options, ...(tools !== undefined && { tools }) } };
  } catch (error) {
    throw inputError(
      'wrong_type',
      `a conversation consists of texts, numbers, lists and plain objects: ${messageOf(error)}`,
    );
  }
}

const perplexityRules: Record<keyof PerplexityOptions, Rule> = { onProgress: callback, signal };

export function checkGeneratorLoadOptions(options: GeneratorLoadOptions): void {
  checkLoadOptions(options, {
    format: formatRule,
    quantize: oneOf('none', 'int8', 'int4'),
    memory64: either(boolean, oneOf('auto')),
    contextLength: integer(1, 2 ** 31 - 1),
    kvCache: oneOf('f32', 'f16', 'int8', 'int4'),
  });
  checkFormat(options.format, 'a text generator', ['amb', 'alt', 'gguf']);
}

/** The arguments and the watch of a call of perplexity(). */
export function scoringRequest(
  text: string | readonly number[],
  options: PerplexityOptions = {},
): [args: [input: PromptInput], watch: CallOptions] {
  checkOptions(options, perplexityRules, 'perplexity');
  const { signal, onProgress } = options;
  const onEvent = ([done, total]: [number, number]) => onProgress?.(done, total);
  return [[promptOf(text)], { signal, onEvent }];
}

const logitsRules: Record<keyof LogitsOptions, Rule> = { all: boolean, signal };

/** The arguments and the watch of a call of logits(). */
export function logitsRequest(
  ids: readonly number[],
  options: LogitsOptions = {},
): [args: [ids: Int32Array, all: boolean], watch: CallOptions] {
  checkOptions(options, logitsRules, 'logits');
  const { signal, all = false } = options;
  const checked = checkIds(ids);
  if (checked.length === 0) throw inputError('missing', 'logits: the list of ids is empty');
  return [[checked, all], { signal }];
}

const tokenizeRules: Record<keyof TokenizeOptions, Rule> = { addBos: boolean, parseSpecial: boolean };

export function tokenizeArguments(
  where: string,
  text: string,
  options: TokenizeOptions = {},
): [text: string, addBos: boolean, parseSpecial: boolean] {
  checkOptions(options, tokenizeRules, where);
  const { addBos = true, parseSpecial = false } = options;
  return [checkText(text), addBos, parseSpecial];
}
