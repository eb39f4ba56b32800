// POST /v1/responses, without anything that is kept: no earlier responses, no conversations, no background.

import type { TextGenerator } from '../../generate/text_generator.js';
import type { GenerationSummary } from '../../generate/types.js';
import { piecesOf } from '../answer.js';
import type { Context } from '../context.js';
import { newId, now } from '../ids.js';
import { eventStream, type ServerSentEvent } from '../server_sent_events.js';
import { responseUsage, usageOf } from '../usage.js';
import { Output } from './output.js';
import { type ResponseRequest, responseRequestOf } from './request.js';

export async function responses(body: unknown, context: Context): Promise<Response> {
  const request = responseRequestOf(body);
  const generator = await context.models.named(request.fields, 'generator');
  const head = headOf(request);
  const output = new Output();
  const events = eventsOf(request, generator, head, output, context);
  if (request.isStream)
    return eventStream(events, ({ error }: { error?: object }) => output.event('error', { ...error }));
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new Error('a response without an end');
    const { response, type } = value.data as { response?: object; type: string };
    if (type === 'response.completed' || type === 'response.incomplete') return Response.json(response);
  }
}

/** What a response says of the request. */
function headOf({ fields }: ResponseRequest): object {
  const { model, instructions, max_output_tokens: maxTokens, temperature, top_p: topP } = fields;
  const { tools = [], tool_choice: toolChoice = 'auto', parallel_tool_calls: parallel = true } = fields;
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: now(),
    model,
    instructions: instructions ?? null,
    max_output_tokens: maxTokens ?? null,
    temperature: temperature ?? null,
    top_p: topP ?? null,
    tools,
    tool_choice: toolChoice,
    parallel_tool_calls: parallel,
    text: fields['text'] ?? { format: { type: 'text' } },
    reasoning: fields['reasoning'] ?? { effort: null, summary: null },
    metadata: fields['metadata'] ?? {},
    truncation: 'disabled',
    previous_response_id: null,
    store: false,
    error: null,
  };
}

async function* eventsOf(
  { messages, options, oneCall }: ResponseRequest,
  generator: TextGenerator,
  head: object,
  output: Output,
  { metrics, signal }: Context,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const whole = (status: string, members: object = {}) => ({
    response: { ...head, status, incomplete_details: null, output: output.describe(), usage: null, ...members },
  });
  const generation = generator.generate(messages, { maxTokens: generator.contextLength, ...options, signal });
  const pieces = piecesOf(generation, { withTokens: false, oneCall });
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
    metrics.use(usage);
    const status = isCut ? 'incomplete' : 'completed';
    const details = isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : { completed_at: now() };
    yield output.event(status, whole(status, { ...details, usage: responseUsage(usage) }));
  } finally {
    // A reader that leaves ends the generation.
    await pieces.return(undefined as never);
  }
}
