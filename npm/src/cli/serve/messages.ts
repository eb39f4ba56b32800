// Node's HTTP messages as the Fetch API's objects, and back.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The target of a request. */
export interface Target {
  path: string;
  search: string;
  /** The host that is addressed. */
  host: string;
}

/**
 * The target of a message, as a path or as a URL (https://www.rfc-editor.org/rfc/rfc9112#section-3.2); undefined if two
 * servers could read it differently: two hosts, or a path that is not in the form of URLs.
 */
export function targetOf({ url = '', headersDistinct }: IncomingMessage): Target | undefined {
  const [host = '', ...otherHosts] = headersDistinct['host'] ?? [];
  const [, authority = host, path, search = ''] = /^(?:https?:\/\/([^/?#]+))?(\/[^?#]*)(\?[^#]*)?$/i.exec(url) ?? [];
  if (path === undefined || otherHosts.length > 0) return undefined;
  const isNormal = !path.includes('//') && new URL(`http://localhost${path}`).pathname === path;
  return isNormal ? { path, search, host: authority } : undefined;
}

/**
 * The body of a message, or undefined if it is larger than `maxBytes`. The rest is read, so that the client reads the
 * answer.
 */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > maxBytes ? undefined : new Uint8Array(Buffer.concat(chunks));
}

/** The request of a message. The host is left out: the answer does not depend on it. */
export function requestOf(
  { method = 'GET' }: IncomingMessage,
  { path, search }: Target,
  body: Uint8Array,
  signal: AbortSignal,
): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://localhost${path}${search}`, {
    method,
    signal,
    ...(hasBody && { body: body as BodyInit }),
  });
}

/**
 * Sends a response as fast as the client reads it, and waits until it has, unless it reads nothing for `stalledMs`.
 * Returns the number of bytes.
 */
export async function send(
  response: Response,
  to: ServerResponse,
  signal: AbortSignal,
  stalledMs: number,
): Promise<number> {
  const taken = async (event: 'drain' | 'finish') => {
    to.setTimeout(stalledMs);
    await once(to, event, { signal }).catch(() => {});
  };
  to.writeHead(response.status, Object.fromEntries(response.headers));
  let bytes = 0;
  // Leaving the loop cancels the body, which ends the generation.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (signal.aborted) return bytes;
    if (!to.write(chunk)) await taken('drain');
    // The model may need any time for the next part.
    to.setTimeout(0);
  }
  const all = taken('finish');
  to.end();
  await all;
  return bytes;
}
