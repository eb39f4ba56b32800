// Node's HTTP messages as the Fetch API's objects, and back.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body of a message, or undefined if it is larger than `maxBytes`. */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The request of a message. Its host is not part of it: what is asked for does not depend on it. */
export function requestOf(
  { method = 'GET', url = '/' }: IncomingMessage,
  body: Uint8Array,
  signal: AbortSignal,
): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://localhost'), { method, signal, ...(hasBody && { body: body as BodyInit }) });
}

/** Sends a response as fast as the client reads it. Returns the number of its bytes. */
export async function send(response: Response, to: ServerResponse, signal: AbortSignal): Promise<number> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  let bytes = 0;
  // Leaving the loop cancels the body, which ends the generation.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (signal.aborted) break;
    if (!to.write(chunk))
      await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]).catch(() => {});
  }
  to.end();
  return bytes;
}
