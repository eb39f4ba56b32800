// Streams of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

import { apiErrorOf } from './api_error.js';

/** An event: its data, and its name if it has one. */
export interface ServerSentEvent {
  name?: string;
  data: unknown;
}

const encoder = new TextEncoder();

const written = ({ name, data }: ServerSentEvent) =>
  encoder.encode(
    `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  );

/**
 * Answers with events, which are made as they are read. An error before the first one is thrown; a later one is the
 * last event, as `failure` makes it.
 */
export async function eventStream(
  events: AsyncGenerator<ServerSentEvent, void, undefined>,
  failure: (error: object) => ServerSentEvent,
): Promise<Response> {
  let next = await events.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (next.done) return controller.close();
          controller.enqueue(written(next.value));
          next = await events.next();
        } catch (error) {
          next = { done: true, value: undefined };
          controller.enqueue(written(failure(apiErrorOf(error).toJSON())));
        }
      },
      cancel: async () => void (await events.return()),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}
