// POST /v1/completions: texts that go on where a prompt ends
// (https://platform.openai.com/docs/api-reference/completions/create).

import type { TextGenerator } from '../../../generate/text_generator.js';
import type { GenerateOptions, Prompt, Token } from '../../../generate/types.js';
import { piecesOf } from '../../answer.js';
import { unsupportedField } from '../api_error.js';
import { usageInStream } from '../chat/request.js';
import { answerChoices, type Choice, choicesWith } from '../choices.js';
import type { Context } from '../context.js';
import { anything, boolean, Fields, given, integer, object, text } from '../fields.js';
import { inputsOf } from '../inputs.js';
import { answerCount, commonRules, maxTokens, samplingOf } from '../sampling.js';
import { middlePrompt } from './fill_in_the_middle.js';

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

/** As OpenAI has it, for requests that do not say. */
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
    signal: context.request.signal,
  };
  const choices: Choice[][] = [];
  for (const prompt of await promptsOf(fields, generator)) {
    const echo = fields.isTrue('echo') ? await textOf(prompt, generator) : '';
    choices.push(choicesWith(fields, asked, (options) => choiceOf(generator, prompt, options, echo)));
  }
  const object = ['text_completion', 'text_completion'] as const;
  return answerChoices(choices, { fields, idPrefix: 'cmpl-', object, withUsage: usageInStream(fields) }, context);
}

async function promptsOf(fields: Fields, generator: TextGenerator): Promise<Prompt[]> {
  const prompts = inputsOf(fields.require('prompt'), 'prompt');
  const suffix = fields.get<string>('suffix');
  if (suffix === undefined) return prompts;
  return Promise.all(
    prompts.map((prompt) => {
      if (typeof prompt === 'string') return middlePrompt(generator, prompt, suffix);
      throw unsupportedField('suffix', ", unless 'prompt' is a text");
    }),
  );
}

const textOf = async (prompt: Prompt, generator: TextGenerator): Promise<string> =>
  typeof prompt === 'string' ? prompt : generator.detokenize(prompt as readonly number[]);

/** `echo`: what stands before the answer. */
function choiceOf(generator: TextGenerator, prompt: Prompt, options: GenerateOptions, echo: string): Choice {
  const logprobsOf = options.logprobs === undefined ? () => null : logprobsAfter(echo.length);
  return {
    start: () => piecesOf(generator.generate(prompt, options), { withTokens: true, oneCall: false }),
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
