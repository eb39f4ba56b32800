// The answers to chat completions and completions, as a whole or as a stream: choices, and what they took.

import type { GenerateOptions, GenerationSummary } from '../../generate/types.js';
import { type AnswerPiece, type AnswerPieces, type CollectedAnswer, collected, finishReason } from '../answer.js';
import { newId, now } from '../ids.js';
import type { Context } from './context.js';
import type { Fields } from './fields.js';
import { eventStream, type ServerSentEvent } from './server_sent_events.js';
import { completionUsage, sumOfUsages, type Usage, usageOf } from './usage.js';

/** A choice: how its answer starts, which it does when its turn comes, and how a request wants it written. */
export interface Choice {
  start(): AnswerPieces;
  /** Precedes the first piece in a stream. */
  begin?: object;
  piece(piece: AnswerPiece): object;
  /** Follows the last piece in a stream. */
  end: object;
  whole(answer: CollectedAnswer): object;
}

/** What a request asked for. */
export interface ChoicesRequest {
  fields: Fields;
  idPrefix: string;
  /** The type of the answer, and of the events of a stream. */
  object: readonly [whole: string, event: string];
  /** Whether the last event of a stream says what was used. */
  withUsage: boolean;
}

/** As many as a request wants for a prompt. Each has a seed of its own. */
export const choicesWith = (
  fields: Fields,
  options: GenerateOptions,
  choiceOf: (options: GenerateOptions) => Choice,
): Choice[] =>
  Array.from({ length: fields.get('n') ?? 1 }, (_, i) =>
    choiceOf(options.seed === undefined ? options : { ...options, seed: options.seed + i }),
  );

/** `choices`: for each prompt, those that answer it. */
export function answerChoices(
  choices: readonly (readonly Choice[])[],
  request: ChoicesRequest,
  context: Context,
): Promise<Response> {
  const { fields, idPrefix, object } = request;
  const head = { id: newId(idPrefix), created: now(), model: fields.get('model') };
  return fields.isTrue('stream')
    ? eventStream(chunks(choices, { ...head, object: object[1] }, request, context), (error) => ({ data: error }))
    : wholeAnswer(choices, { ...head, object: object[0] }, context);
}

async function wholeAnswer(prompts: readonly (readonly Choice[])[], head: object, { metrics }: Context) {
  const written: object[] = [];
  const usages: Usage[] = [];
  for (const choices of prompts) {
    const summaries: GenerationSummary[] = [];
    for (const choice of choices) {
      const answer = await collected(choice.start());
      const reason = finishReason(answer.summary, answer.calls.length > 0);
      written.push({ index: written.length, ...choice.whole(answer), finish_reason: reason });
      summaries.push(answer.summary);
    }
    usages.push(usageOf(summaries));
  }
  const usage = sumOfUsages(usages);
  metrics.use(usage);
  return Response.json({ ...head, choices: written, usage: completionUsage(usage) });
}

async function* chunks(
  prompts: readonly (readonly Choice[])[],
  head: object,
  { withUsage }: ChoicesRequest,
  { metrics }: Context,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const chunk = (choices: object[], usage: object | null = null): ServerSentEvent => ({
    data: { ...head, choices, ...(withUsage && { usage }) },
  });
  const usages: Usage[] = [];
  let index = 0;
  for (const choices of prompts) {
    const summaries: GenerationSummary[] = [];
    for (const choice of choices) {
      const part = (members: object, reason: string | null = null) =>
        chunk([{ index, ...members, finish_reason: reason }]);
      const pieces = choice.start();
      try {
        let { done, value } = await pieces.next();
        // After the first piece, since an error before it is an answer with another status.
        if (choice.begin) yield part(choice.begin);
        let called = false;
        while (!done) {
          const piece = value as AnswerPiece;
          called ||= piece.type === 'toolCall';
          yield part(choice.piece(piece));
          ({ done, value } = await pieces.next());
        }
        const summary = value as GenerationSummary;
        summaries.push(summary);
        yield part(choice.end, finishReason(summary, called));
      } finally {
        // A reader that leaves ends the generation.
        await pieces.return(undefined as never);
      }
      index += 1;
    }
    usages.push(usageOf(summaries));
  }
  const usage = sumOfUsages(usages);
  metrics.use(usage);
  if (withUsage) yield chunk([], completionUsage(usage));
  yield { data: '[DONE]' };
}
