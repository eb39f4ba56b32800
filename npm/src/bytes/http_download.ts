// Downloads files in order. An interrupted download resumes where it was, if it is certain that the file has not
// changed.

import { abortable, throwIfAborted } from '../base/abort.js';
import { ioError, messageOf, QuintetError } from '../base/errors.js';
import { isA } from '../base/values.js';
import { type ByteSource } from './byte_source.js';
import { discard, fetchResponse, nameOf, partOf, responseSource } from './http_source.js';

/** The first part of a file that is already available. */
export interface KnownPart {
  /** Number of its bytes. */
  from: number;
  /** Identifies the version of the file at its URL. */
  version: string;
  /** Size of the whole file. */
  size?: number | undefined;
}

// Milliseconds before each retry after a failure. Starts over when bytes arrive again.
const pauses = [250, 1000, 4000];

/** Fetches a whole file, or what follows `part` if the file has not changed: `start` says which. */
export const downloading =
  (part?: KnownPart) =>
  async (request: URL | Request, signal?: AbortSignal): Promise<ByteSource> => {
    if (part) {
      const rest = await fetchRest(request, part, signal);
      if (isRest(rest, request, part)) return new Download(request, signal, rest, responseSource(rest), part);
      if (rest.status === 200) return new Download(request, signal, rest, responseSource(rest));
      discard(rest);
    }
    const response = await fetchResponse(request, signal);
    return new Download(request, signal, response, responseSource(response));
  };

/** The rest of a download whose `body` returned `position` bytes and then failed or ended. */
export function resumed(
  request: URL | Request,
  signal: AbortSignal | undefined,
  response: Response,
  body: ByteSource,
  position: number,
  failure: unknown = endedEarly(),
): ByteSource {
  return new Download(request, signal, response, { ...body, read: () => Promise.reject(failure) }, undefined, position);
}

const endedEarly = () => ioError('read_failed', 'the download ended early');

class Download implements ByteSource {
  declare readonly size?: number;
  declare readonly version?: string;
  readonly start: number;
  /** Bytes to skip, if the server started the file from the beginning. */
  private repeated = 0;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly request: URL | Request,
    private readonly signal: AbortSignal | undefined,
    response: Response,
    private body: ByteSource | undefined,
    part?: KnownPart,
    private position = part?.from ?? 0,
  ) {
    this.start = part?.from ?? 0;
    const size = part ? partOf(response, part.from) : body!.size;
    const version = part?.version ?? versionOf(response);
    if (size !== undefined) this.size = size;
    if (version !== undefined) this.version = version;
  }

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      try {
        this.body ??= await this.reopen();
        const chunk = await this.body.read();
        if (!chunk && this.isAtEnd) return null;
        if (!chunk) throw endedEarly();
        const fresh = chunk.subarray(this.repeated);
        this.repeated -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        this.failures = 0;
        this.position += fresh.length;
        return fresh;
      } catch (error) {
        await this.recover(error);
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.body?.close();
  }

  private get isAtEnd(): boolean {
    if (this.closed) return true;
    return this.repeated === 0 && (this.size === undefined || this.position >= this.size);
  }

  /** Waits for the next retry, or throws if there is none. */
  private async recover(error: unknown): Promise<void> {
    const { request, signal, version, position, size } = this;
    throwIfAborted(signal);
    const { reason } = error as QuintetError;
    if (this.closed || (reason !== 'read_failed' && reason !== 'network')) throw error;
    const pause = version === undefined ? undefined : pauses[this.failures++];
    if (pause === undefined) {
      const bytes = size === undefined ? `${position} bytes` : `${position} of ${size} bytes`;
      throw ioError('read_failed', `${nameOf(request)}: broke off after ${bytes}: ${messageOf(error)}`, error);
    }
    await this.body?.close();
    this.body = undefined;
    let timer!: ReturnType<typeof setTimeout>;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, pause)));
    await abortable(over, signal).finally(() => clearTimeout(timer));
    if (this.closed) throw error;
  }

  private async reopen(): Promise<ByteSource> {
    const { request, signal, position, size } = this;
    const part = { from: position, version: this.version!, size };
    const response = await fetchRest(request, part, signal);
    const { status } = response;
    const isWhole = status === 200 && versionOf(response) === part.version;
    if (isWhole || isRest(response, request, part)) {
      this.repeated = isWhole ? position : 0;
      return responseSource(response);
    }
    discard(response);
    // A busy server may succeed later. Other failures are final.
    if (status < 500 && status !== 429) this.failures = pauses.length;
    throw ioError('read_failed', response.ok ? 'the file has changed' : `HTTP status ${status}`);
  }
}

/**
 * Identifies the version of a file from its response: a strong ETag, or a modification date at least a minute old (RFC
 * 9110, 8.8). Undefined if the bytes are encoded, because such a download cannot be resumed.
 */
function versionOf({ headers }: Response): string | undefined {
  if (headers.get('content-encoding')) return undefined;
  const tag = headers.get('etag');
  if (tag?.startsWith('"')) return tag;
  const modified = headers.get('last-modified') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return now - Date.parse(modified) >= 60_000 ? modified : undefined;
}

function fetchRest(
  request: URL | Request,
  { from, version }: KnownPart,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers(isA(request, 'Request') ? (request as Request).headers : undefined);
  headers.set('range', `bytes=${from}-`);
  if (mayAskIf(request)) headers.set('if-range', version);
  return fetchResponse(request, signal, { headers, cache: 'no-store' });
}

/** Other origins would have to allow `If-Range` (CORS). For them the response itself must contain the version. */
function mayAskIf(request: URL | Request): boolean {
  const { location } = globalThis;
  return location === undefined || new URL(nameOf(request)).origin === location.origin;
}

function isRest(response: Response, request: URL | Request, { from, version, size }: KnownPart): boolean {
  const total = partOf(response, from);
  const seen = versionOf(response);
  return (
    total !== undefined &&
    total === (size ?? total) &&
    !response.headers.get('content-encoding') &&
    (seen === version || (seen === undefined && mayAskIf(request)))
  );
}
