// POST /v1/chat/completions

import { type AnswerPiece, type CollectedAnswer, piecesOf } from '../../answer.js';
import { answerChoices, besideOthers, type Choice, choicesWith } from '../choices.js';
import type { Context } from '../context.js';
import { logprobEntries } from '../logprobs.js';
import { chatRequestOf, usageInStream } from './request.js';

export async function chatCompletions(body: unknown, context: Context): Promise<Response> {
  const { fields, messages, options: asked } = chatRequestOf(body);
  const generator = await context.models.named(fields, 'generator');
  const answer = {
    withTokens: asked.logprobs !== undefined,
    oneCall: fields.get('parallel_tool_calls') === false,
  };
  const choices = choicesWith(
    fields,
    { maxTokens: generator.contextLength, ...asked },
    (options): Choice => ({
      start: () => piecesOf(besideOthers(generator, messages, options, context), answer),
      begin: { delta: { role: 'assistant', content: '' }, logprobs: null },
      piece: deltaOf,
      end: { delta: {}, logprobs: null },
      whole: (collected) => messageOf(collected, answer.withTokens),
    }),
  );
  const object = ['chat.completion', 'chat.completion.chunk'] as const;
  const request = { fields, idPrefix: 'chatcmpl-', object, withUsage: usageInStream(fields) };
  return answerChoices([choices], request, context);
}

function messageOf({ text, reasoning, calls, tokens }: CollectedAnswer, withTokens: boolean): object {
  const hasCalls = calls.length > 0;
  return {
    message: {
      role: 'assistant',
      content: hasCalls && text === '' ? null : text,
      refusal: null,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(hasCalls && {
        tool_calls: calls.map(({ id, name, argumentsText }) => ({
          id,
          type: 'function',
          function: { name, arguments: argumentsText },
        })),
      }),
    },
    logprobs: withTokens ? { content: logprobEntries(tokens), refusal: null } : null,
  };
}

function deltaOf(piece: AnswerPiece): object {
  if (piece.type === 'toolCall') {
    const { index, id, name, argumentsText, isFirst } = piece;
    const call = isFirst
      ? { index, id, type: 'function', function: { name, arguments: argumentsText } }
      : { index, function: { arguments: argumentsText } };
    return { delta: { tool_calls: [call] }, logprobs: null };
  }
  const { type, text, token } = piece;
  return {
    delta: type === 'text' ? { content: text } : { reasoning_content: text },
    logprobs: token ? { content: logprobEntries([token]), refusal: null } : null,
  };
}
