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
import type { GenerationRequest, PromptInput } from './calls.js';
import type {
  DraftModel,
  GenerateOptions,
  GeneratorLoadOptions,
  InfillPrompt,
  Prompt,
  TokenizeOptions,
} from './types.js';

const penalty = numberBetween(-1000, 1000);
const maxInteger = Number.MAX_SAFE_INTEGER;
/** For options that are checked elsewhere. */
const anything: Rule = ['', () => true];
const count = integer(0, maxInteger);
const texts: Rule = [
  'an array of at most 64 non-empty strings',
  (value) => Array.isArray(value) && value.length <= 64 && value.every((text) => typeof text === 'string' && text),
];

export const generateRules: Record<keyof GenerateOptions, Rule> = {
  maxTokens: integer(1, maxInteger),
  temperature: numberBetween(0, 100),
  topK: count,
  topP: ['a number above 0 and at most 1', (value) => typeof value === 'number' && value > 0 && value <= 1],
  minP: numberBetween(0, 1),
  repetitionPenalty: numberBetween(0.001, 1000),
  frequencyPenalty: penalty,
  presencePenalty: penalty,
  repeatLastN: count,
  dryMultiplier: numberBetween(0, 1000),
  dryBase: numberBetween(1, 1000),
  dryAllowedLength: count,
  dryPenaltyLastN: count,
  drySequenceBreakers: texts,
  xtcProbability: numberBetween(0, 1),
  xtcThreshold: numberBetween(0, 1),
  adapters: ['an array of objects with a name and, if need be, a finite scale', isAdapterList],
  seed: count,
  stop: texts,
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
  toolChoice: anything, // checked with the conversation
  reasoningBudget: count,
  largeIntegers: oneOf('number', 'bigint'),
  draft: ['a TextGenerator', (value) => typeof (value as DraftModel)?.createSession === 'function'],
  promptLookup: either(boolean, oneOf('auto')),
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
  reasoningBudget?: GenerateOptions['reasoningBudget'];
}

/** The checked arguments of `generate`. */
export type GenerationPlan = Omit<GenerationRequest, 'prompt' | 'grammar' | 'sampling'> & {
  prompt: PromptInput | Conversation | InfillPrompt;
  /** The options for native code. */
  sampling: object;
  /** Whether there is a grammar or a JSON schema. */
  isConstrained: boolean;
};

/** `replace`: every prompt replaces the content of the session, not only conversations. */
export function planOf(prompt: Prompt, options: GenerateOptions, replace: boolean): GenerationPlan {
  checkOptions(options, generateRules, 'generate');
  const { signal: _signal, chat, toolChoice, logitsProcessor, onPrefill: _onPrefill, stop, seed, ...others } = options;
  const { grammar, jsonSchema, logitBias, largeIntegers, reasoningBudget, drySequenceBreakers, ...rest } = others;
  const { adapters, draft, promptLookup = 'auto', ...sampling } = rest;
  const isConversation = Array.isArray(prompt) && isA(prompt[0], 'Object');
  if (!isConversation && (chat ?? toolChoice ?? reasoningBudget) !== undefined) {
    throw inputError(
      'mismatch',
      "generate: options 'chat', 'toolChoice' and 'reasoningBudget' need a list of messages as the prompt",
    );
  }
  const isInfill = isA(prompt, 'Object');
  const input = isConversation
    ? { ...conversationOf(prompt as readonly ChatMessage[], chat, toolChoice), largeIntegers, reasoningBudget }
    : isInfill
      ? infillOf(prompt as InfillPrompt)
      : promptOf(prompt as string | readonly number[]);
  return {
    prompt: input,
    replace: replace || isConversation || isInfill,
    sampling: {
      ...sampling,
      ...randomness(seed),
      stop: stop?.map(wellFormed),
      drySequenceBreakers: drySequenceBreakers?.map(wellFormed),
      // JSON writes -Infinity as null.
      logitBias: logitBias && Object.entries(logitBias).map(([id, bias]) => [Number(id), bias]),
    },
    isConstrained: (grammar ?? jsonSchema) !== undefined,
    processed: logitsProcessor !== undefined,
    lookup: promptLookup,
    drafts: draft !== undefined,
    ...(adapters && { adapters: JSON.stringify(adapters.map(({ name, scale = 1 }) => ({ name, scale }))) }),
  };
}

function isAdapterList(value: unknown): boolean {
  const isUse = ({ name, scale = 1, ...others }: Record<string, unknown>) =>
    typeof name === 'string' && Number.isFinite(scale) && Object.keys(others).length === 0;
  return Array.isArray(value) && value.every((use) => isA(use, 'Object') && isUse(use));
}

function isLogitBias(value: unknown): boolean {
  const entries: [string, unknown][] = isA(value, 'Object') ? Object.entries(value as object) : [['', value]];
  return entries.every(([id, bias]) => /^\d{1,10}$/.test(id) && typeof bias === 'number' && bias < Infinity);
}

/** Without a seed, the random state of a loaded cache continues, if it has one. */
const randomness = (seed: number | undefined) =>
  seed === undefined ? { seed: Math.floor(Math.random() * maxInteger), resumes: true } : { seed };

export const promptOf = (prompt: string | readonly number[]): PromptInput =>
  typeof prompt === 'string' ? { text: prompt } : { ids: checkIds(prompt) };

function infillOf(prompt: InfillPrompt): InfillPrompt {
  checkOptions(prompt, { prefix: anything, suffix: anything }, 'generate');
  return { prefix: checkText(prompt.prefix), suffix: checkText(prompt.suffix) };
}

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

const kvType = oneOf('f32', 'f16', 'int8', 'int4');
const kvTypes: Rule = [
  '{ keys, values }',
  (value) => {
    if (!isA(value, 'Object')) return false;
    checkOptions(value as object, { keys: kvType, values: kvType }, 'load: kvCache');
    return true;
  },
];

export function checkGeneratorLoadOptions(options: GeneratorLoadOptions): void {
  checkLoadOptions(options, {
    format: formatRule,
    quantize: oneOf('none', 'int8', 'int4'),
    memory64: either(boolean, oneOf('auto')),
    contextLength: integer(1, 2 ** 31 - 1),
    kvCache: either(kvType, kvTypes),
  });
  checkFormat(options.format, 'a text generator', ['amb', 'alt', 'gguf']);
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
