// POST /v1/chat/completions

import { type AnswerPiece, type CollectedAnswer, piecesOf } from '../answer.js';
import { answerChoices, type Choice } from '../choices.js';
import type { Context } from '../context.js';
import { logprobEntries } from '../logprobs.js';
import { chatRequestOf } from './request.js';

export async function chatCompletions(body: unknown, context: Context): Promise<Response> {
  const { fields, messages, options, count, withUsage, oneCall } = chatRequestOf(body);
  const generator = await context.models.named(fields, 'generator');
  const { seed } = options;
  const withTokens = options.logprobs !== undefined;
  const choices = Array.from({ length: count }, (_, i): Choice => {
    const seeded = seed === undefined ? {} : { seed: seed + i };
    const chosen = { maxTokens: generator.contextLength, ...options, ...seeded, signal: context.signal };
    return {
      start: () => piecesOf(generator.generate(messages, chosen), { withTokens, oneCall }),
      begin: { delta: { role: 'assistant', content: '' }, logprobs: null },
      piece: deltaOf,
      end: { delta: {}, logprobs: null },
      whole: (answer) => messageOf(answer, withTokens),
    };
  });
  const object = ['chat.completion', 'chat.completion.chunk'] as const;
  return answerChoices([choices], { fields, idPrefix: 'chatcmpl-', object, withUsage }, context);
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
