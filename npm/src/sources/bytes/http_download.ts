// Downloads files in order. An interrupted download resumes where it was, if it is certain that the file has not
// changed.

import { throwIfAborted } from '../../base/abort.js';
import { ioError, messageOf, type QuintetError } from '../../base/errors.js';
import { pauseFor } from '../../base/pause.js';
import { isA } from '../../base/values.js';
import { discard, fetchResponse, nameOf, partOf, responseSource } from '../open_source.js';
import type { ByteSource } from './byte_source.js';

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

/** A file on a server, and the requests for it. */
export interface RemoteFile {
  /** For messages. */
  name: string;
  /** Size, if it is known from elsewhere. */
  size?: number | undefined;
  /** Whether requests may name a version with `If-Range`. */
  asksIf: boolean;
  /** Whether its location never has another version. Responses need not identify theirs then. */
  isFixed?: boolean;
  get(headers?: Headers): Promise<Response>;
}

function remoteFile(request: URL | Request, signal: AbortSignal | undefined): RemoteFile {
  return {
    name: nameOf(request),
    asksIf: mayAskIf(request),
    get(more) {
      if (!more) return fetchResponse(request, signal);
      const headers = new Headers(isA(request, 'Request') ? (request as Request).headers : undefined);
      more.forEach((value, name) => headers.set(name, value));
      return fetchResponse(request, signal, { headers, cache: 'no-store' });
    },
  };
}

/** Other origins would have to allow `If-Range` (CORS). For them the response itself must contain the version. */
function mayAskIf(request: URL | Request): boolean {
  const { location } = globalThis;
  return location === undefined || new URL(nameOf(request)).origin === location.origin;
}

/** Fetches a whole file, or the rest after `part` if the file has not changed: `start` decides. */
export const downloading =
  (part?: KnownPart) =>
  (request: URL | Request, signal?: AbortSignal): Promise<ByteSource> =>
    downloadFrom(remoteFile(request, signal), signal, part);

export async function downloadFrom(
  file: RemoteFile,
  signal: AbortSignal | undefined,
  part?: KnownPart,
): Promise<ByteSource> {
  if (part) {
    const rest = await getRest(file, part);
    if (isRest(rest, file, part)) return new Download(file, signal, rest, responseSource(rest), part);
    if (rest.status === 200) return new Download(file, signal, rest, responseSource(rest));
    discard(rest);
  }
  const response = await file.get();
  return new Download(file, signal, response, responseSource(response));
}

/** The rest of a download whose `body` returned `position` bytes and then failed or ended. */
export function resumed(
  request: URL | Request,
  signal: AbortSignal | undefined,
  response: Response,
  body: ByteSource,
  position: number,
  failure: unknown = endedEarly(),
): ByteSource {
  const broken = { ...body, read: () => Promise.reject(failure) };
  return new Download(remoteFile(request, signal), signal, response, broken, undefined, position);
}

const endedEarly = () => ioError('read_failed', 'the download ended early');

/** Version of a fixed file whose first response does not identify it. */
const anyVersion = '';

class Download implements ByteSource {
  declare readonly size?: number;
  declare readonly version?: string;
  readonly start: number;
  /** Bytes to skip, if the server started the file from the beginning. */
  private repeated = 0;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly file: RemoteFile,
    private readonly signal: AbortSignal | undefined,
    response: Response,
    private body: ByteSource | undefined,
    part?: KnownPart,
    private position = part?.from ?? 0,
  ) {
    this.start = part?.from ?? 0;
    const size = file.size ?? (part ? partOf(response, part.from) : body!.size);
    const version = part?.version ?? versionOf(response) ?? (file.isFixed ? anyVersion : undefined);
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
    const { file, signal, version, position, size } = this;
    throwIfAborted(signal);
    const { reason } = error as QuintetError;
    if (this.closed || (reason !== 'read_failed' && reason !== 'network')) throw error;
    const pause = version === undefined ? undefined : pauses[this.failures++];
    if (pause === undefined) {
      const bytes = size === undefined ? `${position} bytes` : `${position} of ${size} bytes`;
      throw ioError('read_failed', `${file.name}: broke off after ${bytes}: ${messageOf(error)}`, error);
    }
    await this.body?.close();
    this.body = undefined;
    await pauseFor(pause, signal);
    if (this.closed) throw error;
  }

  private async reopen(): Promise<ByteSource> {
    const { file, position, size } = this;
    const part = { from: position, version: this.version!, size };
    const response = await getRest(file, part);
    const { status } = response;
    const isWhole = status === 200 && isSameVersion(versionOf(response), part.version, file.isFixed === true);
    if (isWhole || isRest(response, file, part)) {
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

function getRest(file: RemoteFile, { from, version }: KnownPart): Promise<Response> {
  const headers = new Headers({ range: `bytes=${from}-` });
  if (file.asksIf) headers.set('if-range', version);
  return file.get(headers);
}

function isRest(response: Response, { asksIf, isFixed }: RemoteFile, { from, version, size }: KnownPart): boolean {
  const total = partOf(response, from);
  return (
    total !== undefined &&
    total === (size ?? total) &&
    !response.headers.get('content-encoding') &&
    isSameVersion(versionOf(response), version, asksIf || isFixed === true)
  );
}

/** `mayBeAbsent`: a response that does not identify its version is of the right one. */
const isSameVersion = (seen: string | undefined, version: string, mayBeAbsent: boolean): boolean =>
  seen === version || (mayBeAbsent && (seen === undefined || version === anyVersion));
