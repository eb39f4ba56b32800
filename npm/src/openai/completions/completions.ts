// POST /v1/completions: texts that go on where a prompt ends
// (https://platform.openai.com/docs/api-reference/completions/create).

import type { TextGenerator } from '../../generate/text_generator.js';
import type { GenerateOptions, Prompt, Token } from '../../generate/types.js';
import { piecesOf } from '../answer.js';
import { unsupportedField } from '../api_error.js';
import { usageInStream } from '../chat/request.js';
import { answerChoices, type Choice } from '../choices.js';
import type { Context } from '../context.js';
import { anything, boolean, type Fields, integer, object, readFields, required, text } from '../fields.js';
import { inputsOf } from '../inputs.js';
import { answerCount, identification, maxTokens, samplingOf, samplingRules } from '../sampling.js';
import { middlePrompt } from './fill_in_the_middle.js';

const rules = {
  ...samplingRules,
  ...identification,
  model: text,
  prompt: anything,
  suffix: text,
  max_tokens: maxTokens,
  n: answerCount,
  best_of: anything,
  echo: boolean,
  stream: boolean,
  stream_options: object,
  logprobs: integer(0, 20),
} as const;

/** As OpenAI has it, for requests that do not say. */
const defaultTokens = 16;

export async function completions(body: unknown, context: Context): Promise<Response> {
  const fields = readFields(body, rules);
  const { best_of: best, n = 1, logprobs } = fields;
  if (best !== undefined && best !== n) throw unsupportedField('best_of', "'best_of' must be as 'n'");
  const generator = await context.models.named(fields, 'generator');
  const options: GenerateOptions = {
    ...samplingOf(fields),
    maxTokens: (fields['max_tokens'] as number | undefined) ?? defaultTokens,
    ...(logprobs !== undefined && { logprobs: logprobs as number }),
    signal: context.signal,
  };
  const choices: Choice[][] = [];
  for (const prompt of await promptsOf(fields, generator)) {
    const echo = fields['echo'] === true ? await textOf(prompt, generator) : '';
    choices.push(
      Array.from({ length: n as number }, (_, i) => {
        const { seed } = options;
        const chosen = seed === undefined ? options : { ...options, seed: seed + i };
        return choiceOf(generator, prompt, chosen, echo);
      }),
    );
  }
  const object = ['text_completion', 'text_completion'] as const;
  return answerChoices(choices, { fields, idPrefix: 'cmpl-', object, withUsage: usageInStream(fields) }, context);
}

async function promptsOf(fields: Fields, generator: TextGenerator): Promise<Prompt[]> {
  const prompts = inputsOf(required(fields, 'prompt'), 'prompt');
  const { suffix } = fields;
  if (suffix === undefined) return prompts;
  return Promise.all(
    prompts.map((prompt) => {
      if (typeof prompt === 'string') return middlePrompt(generator, prompt, suffix as string);
      throw unsupportedField('suffix', "'suffix' needs a prompt that is a text");
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
      const { text: written, token } = piece as { text: string; token: Token };
      return { text: written, logprobs: logprobsOf([token]) };
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
