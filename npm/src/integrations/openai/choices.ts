// The answers to chat completions and completions, as a whole or as a stream: choices, and their usage.

import type { TextGenerator } from '../../generate/text_generator.js';
import type { GenerateOptions, Generation, GenerationSummary, Prompt } from '../../generate/types.js';
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

export interface ChoicesRequest {
  fields: Fields;
  idPrefix: string;
  /** The type of the answer, and of the events of a stream. */
  object: readonly [whole: string, event: string];
  /** Whether the last event of a stream reports usage. */
  withUsage: boolean;
}

/** The `n` choices that a request wants for a prompt. Each has its own seed. */
export const choicesWith = (
  fields: Fields,
  options: GenerateOptions,
  choiceOf: (options: GenerateOptions) => Choice,
): Choice[] =>
  Array.from({ length: fields.get('n') ?? 1 }, (_, i) =>
    choiceOf(options.seed === undefined ? options : { ...options, seed: options.seed + i }),
  );

/** Generates together with the other choices and requests. */
export const besideOthers = (
  generator: TextGenerator,
  prompt: Prompt,
  options: GenerateOptions,
  { options: { concurrency = 8 }, request: { signal } }: Context,
): Generation => generator.generateMany([prompt], { ...options, concurrency, signal })[0]!;

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

/** A choice that has started, together with the others of its request. */
interface Started {
  choice: Choice;
  pieces: AnswerPieces;
  /** The number of its prompt. */
  prompt: number;
  /** Whether some of it was streamed, and whether it has called a tool. */
  hasBegun?: boolean;
  hasCalled?: boolean;
}

const startAll = (prompts: readonly (readonly Choice[])[]): Started[] =>
  prompts.flatMap((choices, prompt) => choices.map((choice) => ({ choice, prompt, pieces: choice.start() })));

/** Generations that are no longer read are cancelled. */
const endAll = (started: readonly Started[]) =>
  Promise.all(started.map(({ pieces }) => pieces.return(undefined as never).catch(() => {})));

/** The usage of all answers: a prompt counts once. */
function usageOfAll(started: readonly Started[], summaries: readonly GenerationSummary[]): Usage {
  const prompts: GenerationSummary[][] = [];
  started.forEach(({ prompt }, i) => void (prompts[prompt] ??= []).push(summaries[i]!));
  return sumOfUsages(prompts.map(usageOf));
}

async function wholeAnswer(prompts: readonly (readonly Choice[])[], head: object, { metrics }: Context) {
  const started = startAll(prompts);
  try {
    const answers = await Promise.all(started.map(({ pieces }) => collected(pieces)));
    const choices = answers.map((answer, index) => ({
      index,
      ...started[index]!.choice.whole(answer),
      finish_reason: finishReason(answer.summary, answer.calls.length > 0),
    }));
    const usage = usageOfAll(
      started,
      answers.map(({ summary }) => summary),
    );
    metrics.use(usage);
    return Response.json({ ...head, choices, usage: completionUsage(usage) });
  } finally {
    await endAll(started);
  }
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
  const started = startAll(prompts);
  const summaries: GenerationSummary[] = [];
  try {
    for await (const [index, { done, value }] of merged(started.map(({ pieces }) => pieces))) {
      const answer = started[index]!;
      const { choice } = answer;
      const part = (members: object, reason: string | null = null) =>
        chunk([{ index, ...members, finish_reason: reason }]);
      // Answers only after the first piece, since an error before it is an answer with another status.
      if (choice.begin && !answer.hasBegun) yield part(choice.begin);
      answer.hasBegun = true;
      if (done) {
        summaries[index] = value;
        yield part(choice.end, finishReason(value, !!answer.hasCalled));
      } else {
        answer.hasCalled ||= value.type === 'toolCall';
        yield part(choice.piece(value));
      }
    }
  } finally {
    await endAll(started);
  }
  const usage = usageOfAll(started, summaries);
  metrics.use(usage);
  if (withUsage) yield chunk([], completionUsage(usage));
  yield { data: '[DONE]' };
}

/** The pieces of several answers as they come, each with the number of its answer; of those that wait, in turns. */
async function* merged(
  answers: readonly AnswerPieces[],
): AsyncGenerator<[number, IteratorResult<AnswerPiece, GenerationSummary>], void, undefined> {
  const next = async (index: number) => [index, await answers[index]!.next()] as const;
  const waiting = new Map(answers.map((_, index) => [index, next(index)]));
  while (waiting.size > 0) {
    const [index, result] = await Promise.race(waiting.values());
    waiting.delete(index);
    if (!result.done) waiting.set(index, next(index));
    yield [index, result];
  }
}
