// POST /v1/responses, without anything that is kept: no earlier responses, no conversations, no background.

import type { TextGenerator } from '../../../generate/text_generator.js';
import type { GenerationSummary } from '../../../generate/types.js';
import { piecesOf } from '../../answer.js';
import { newId, now } from '../../ids.js';
import type { ChatRequest } from '../chat/request.js';
import { besideOthers } from '../choices.js';
import type { Context } from '../context.js';
import type { Fields } from '../fields.js';
import { eventStream, type ServerSentEvent } from '../server_sent_events.js';
import { responseUsage, usageOf } from '../usage.js';
import { Output } from './output.js';
import { responseRequestOf } from './request.js';

export async function responses(body: unknown, context: Context): Promise<Response> {
  const request = responseRequestOf(body);
  const generator = await context.models.named(request.fields, 'generator');
  const output = new Output();
  const events = eventsOf(request, generator, output, context);
  if (request.fields.isTrue('stream')) {
    return eventStream(events, ({ error }: { error?: object }) => output.event('error', { ...error }));
  }
  let last: unknown;
  for await (const { data } of events) last = (data as { response?: object }).response;
  return Response.json(last);
}

/** The fields of a response that repeat the request. */
function headOf(fields: Fields): object {
  const names = ['model', 'instructions', 'max_output_tokens', 'temperature', 'top_p', 'previous_response_id', 'error'];
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: now(),
    ...Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null])),
    tools: fields.get('tools') ?? [],
    tool_choice: fields.get('tool_choice') ?? 'auto',
    parallel_tool_calls: fields.get('parallel_tool_calls') ?? true,
    text: fields.get('text') ?? { format: { type: 'text' } },
    reasoning: fields.get('reasoning') ?? { effort: null, summary: null },
    metadata: fields.get('metadata') ?? {},
    truncation: 'disabled',
    store: false,
  };
}

async function* eventsOf(
  { fields, messages, options }: ChatRequest,
  generator: TextGenerator,
  output: Output,
  context: Context,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const head = headOf(fields);
  const whole = (status: string, members: object = {}) => ({
    response: { ...head, status, incomplete_details: null, output: output.describe(), usage: null, ...members },
  });
  const asked = { maxTokens: generator.contextLength, ...options };
  const generation = besideOthers(generator, messages, asked, context);
  const pieces = piecesOf(generation, { withTokens: false, oneCall: fields.get('parallel_tool_calls') === false });
  try {
    let { done, value } = await pieces.next();
    // After the first piece, since an error before it is an answer with another status.
    yield output.event('created', whole('in_progress'));
    yield output.event('in_progress', whole('in_progress'));
    while (!done) {
      yield* output.add(value as Exclude<typeof value, GenerationSummary>);
      ({ done, value } = await pieces.next());
    }
    const summary = value as GenerationSummary;
    const isCut = summary.reason === 'length';
    yield* output.end(isCut ? 'incomplete' : 'completed');
    const usage = usageOf([summary]);
    context.metrics.use(usage);
    const status = isCut ? 'incomplete' : 'completed';
    const details = isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : { completed_at: now() };
    yield output.event(status, whole(status, { ...details, usage: responseUsage(usage) }));
  } finally {
    // A reader that leaves ends the generation.
    await pieces.return(undefined as never);
  }
}
