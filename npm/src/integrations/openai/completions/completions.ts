// POST /v1/completions: texts that continue a prompt
// (https://platform.openai.com/docs/api-reference/completions/create).

import type { QuintetError } from '../../../base/errors.js';
import type { TextGenerator } from '../../../generate/text_generator.js';
import type { GenerateOptions, Generation, Prompt, Token } from '../../../generate/types.js';
import { piecesOf } from '../../answer.js';
import { unsupportedField } from '../api_error.js';
import { usageInStream } from '../chat/request.js';
import { answerChoices, besideOthers, type Choice, choicesWith } from '../choices.js';
import type { Context } from '../context.js';
import { anything, boolean, Fields, given, integer, object, text } from '../fields.js';
import { inputsOf, type ModelInput } from '../inputs.js';
import { answerCount, commonRules, maxTokens, samplingOf } from '../sampling.js';

const rules = {
  ...commonRules,
  prompt: anything,
  suffix: text,
  max_tokens: maxTokens,
  n: answerCount,
  best_of: anything,
  echo: boolean,
  stream: boolean,
  stream_options: object,
  logprobs: integer(0, 20),
};

/** OpenAI's default. */
const defaultTokens = 16;

export async function completions(body: unknown, context: Context): Promise<Response> {
  const fields = new Fields(body, rules);
  const best = fields.get('best_of');
  if (best !== undefined && best !== (fields.get('n') ?? 1)) throw unsupportedField('best_of', ", unless it is 'n'");
  const generator = await context.models.named(fields, 'generator');
  const asked = {
    ...samplingOf(fields),
    ...given<GenerateOptions>({ logprobs: fields.get('logprobs') }),
    maxTokens: fields.get<number>('max_tokens') ?? defaultTokens,
  };
  const choices: Choice[][] = [];
  const suffix = fields.get<string>('suffix');
  for (const input of inputsOf(fields.require('prompt'), 'prompt')) {
    const prompt = await promptOf(input, suffix, generator);
    const echo = !fields.isTrue('echo') ? '' : typeof input === 'string' ? input : await generator.detokenize(input);
    const start = (options: GenerateOptions) => besideOthers(generator, prompt, options, context);
    choices.push(choicesWith(fields, asked, (options) => choiceOf(start, options, echo)));
  }
  const name = 'text_completion';
  const request = { fields, idPrefix: 'cmpl-', object: [name, name], withUsage: usageInStream(fields) } as const;
  return answerChoices(choices, request, context).catch((error: QuintetError) => {
    const isOfSuffix = suffix !== undefined && error.code === 'UNSUPPORTED';
    throw isOfSuffix ? unsupportedField('suffix', `: ${error.message}`) : error;
  });
}

/** Clients write templates with the names of special tokens, which other servers, too, read as these tokens. */
async function promptOf(input: ModelInput, suffix: string | undefined, generator: TextGenerator): Promise<Prompt> {
  if (suffix === undefined)
    return typeof input === 'string' ? [...(await generator.tokenize(input, { parseSpecial: true }))] : input;
  if (typeof input === 'string') return { prefix: input, suffix };
  throw unsupportedField('suffix', ", unless 'prompt' is a text");
}

/** `echo`: the text before the answer. */
function choiceOf(start: (options: GenerateOptions) => Generation, options: GenerateOptions, echo: string): Choice {
  const logprobsOf = options.logprobs === undefined ? () => null : logprobsAfter(echo.length);
  return {
    start: () => piecesOf(start(options), { withTokens: true, oneCall: false }),
    ...(echo !== '' && { begin: { text: echo, logprobs: null } }),
    piece: (piece) => {
      const { text: written, token } = piece as { text: string; token?: Token };
      return { text: written, logprobs: token ? logprobsOf([token]) : null };
    },
    end: { text: '', logprobs: null },
    whole: (answer) => ({ text: echo + answer.text, logprobs: logprobsOf(answer.tokens) }),
  };
}

/** `start`: where the first token begins in the text. */
function logprobsAfter(start: number): (tokens: readonly Token[]) => object {
  let offset = start;
  return (tokens) => ({
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logprob = null }) => logprob),
    top_logprobs: tokens.map(({ top = [] }) => Object.fromEntries(top.map((other) => [other.text, other.logprob]))),
    text_offset: tokens.map(({ text }) => {
      offset += text.length;
      return offset - text.length;
    }),
  });
}
