// Requests to the Hub: with the token, but only to the endpoint; again if the server is busy; and with errors that
// explain what to do.

import { files } from '#sources/files';

import { type ErrorReason, ioError, messageOf, type QuintetError, requireGlobals } from '../../base/errors.js';
import { pauseFor } from '../../base/pause.js';
import { discard, fetchResponse } from '../open_source.js';
import type { HubAccess, HubFile } from './types.js';

/** hf:OWNER/NAME@REVISION/PATH */
export const nameOf = ({ path, model: { listing } }: HubFile): string =>
  `hf:${listing.repository}@${listing.revision}/${path}`;

/** Its web address, at its commit. */
export function addressOf({ path, model: { access, listing } }: HubFile): string {
  return `${access.endpoint}/${listing.repository}/resolve/${listing.commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The subject of a request, for messages: hf:OWNER/NAME and so on. */
interface Subject {
  name: string;
  repository: string;
}

export interface HubRequest {
  url: string;
  headers?: Headers | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the answer can be done without, so that waiting for it is not worth it. */
  isOptional?: boolean | undefined;
}

/** Milliseconds before each further attempt, unless the server names a time. */
const pauses = [250, 1000, 4000];
/** A longer time is for the caller to wait. */
const maxSeconds = 60;
/** As in huggingface_hub's utils/_http.py. */
const transientStatuses = [408, 429, 500, 502, 503, 504];
const maxRedirects = 5;

/** A successful response. */
export async function askHub(access: HubAccess, subject: Subject, request: HubRequest): Promise<Response> {
  for (let attempt = 0; ; ++attempt) {
    const { response, error } = await attemptTo(() => send(access, request));
    if (response?.ok) return response;
    const wait = request.isOptional ? undefined : error ? pauseAfter(error, attempt) : pauseBefore(response!, attempt);
    if (response) discard(response);
    if (wait === undefined) throw error ? explained(error, access) : refusal(response!, access, subject);
    await pauseFor(wait, request.signal);
  }
}

interface Attempt {
  response?: Response;
  error?: QuintetError;
}

const attemptTo = (request: () => Promise<Response>): Promise<Attempt> =>
  request().then(
    (response) => ({ response }),
    (error: QuintetError) => ({ error }),
  );

/** Retry once: browsers hide the cause, which is rarely transient. */
const pauseAfter = ({ reason }: QuintetError, attempt: number): number | undefined =>
  reason === 'network' && attempt === 0 ? pauses[0] : undefined;

/** Milliseconds to wait before another attempt; undefined if there is none. */
function pauseBefore(response: Response, attempt: number): number | undefined {
  if (attempt >= pauses.length || !transientStatuses.includes(response.status)) return undefined;
  const seconds = secondsToWait(response);
  if (seconds === undefined) return pauses[attempt];
  return seconds <= maxSeconds ? 1000 * seconds : undefined;
}

/**
 * `Retry-After` (RFC 9110, 10.2.3), or when the limit of the Hub is over (https://huggingface.co/docs/hub/rate-limits).
 */
function secondsToWait({ headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  const [, reset] = /;\s*r=0\s*;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (after === null) return reset === undefined ? undefined : Number(reset);
  if (/^\d+$/.test(after)) return Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** Follows redirects itself where it can, so that the token stays with the endpoint. */
async function send({ endpoint, token }: HubAccess, { url, headers, signal }: HubRequest): Promise<Response> {
  requireGlobals('ReadableStream', 'fetch', 'Headers');
  let at = new URL(url);
  for (let hops = 0; hops <= maxRedirects; ++hops) {
    const sent = new Headers(headers);
    if (token !== undefined && at.origin === new URL(endpoint).origin) sent.set('authorization', `Bearer ${token}`);
    const response = await fetchResponse(at, signal, {
      headers: sent,
      // Browsers follow by themselves, and remove the header where the origin changes
      // (https://fetch.spec.whatwg.org/#http-redirect-fetch).
      redirect: files.hub.seesRedirects ? 'manual' : 'follow',
      // The Hub need not know which page asks.
      referrerPolicy: 'no-referrer',
    });
    const location =
      files.hub.seesRedirects && response.status >= 300 && response.status < 400
        ? response.headers.get('location')
        : null;
    if (location === null) return response;
    discard(response);
    at = new URL(location, at);
  }
  throw ioError('http_status', `${url}: more than ${maxRedirects} redirects`);
}

/** Adds all possible causes where the browser gives none. */
function explained(error: QuintetError, { endpoint }: HubAccess): QuintetError {
  if (error.reason !== 'network' || files.hub.seesRedirects) return error;
  const causes =
    'no network, a content security policy without this origin in connect-src, or a server that does not allow other origins (CORS)';
  return ioError(
    'network',
    `${messageOf(error)}. Browsers hide the cause: ${causes}. See docs/hub.md for the origins of ${endpoint}`,
    error,
  );
}

/** The codes are those of huggingface_hub's hf_raise_for_status. */
function refusal(response: Response, { endpoint, token }: HubAccess, { name, repository }: Subject): QuintetError {
  const { status, headers } = response;
  const code = headers.get('x-error-code');
  const failed = (reason: ErrorReason, what: string) =>
    ioError(reason, `${name}: ${what} (HTTP status ${status} of ${endpoint})`);
  const page = `${endpoint}/${repository}`;
  const logIn = "pass hub: { token }; in Node, HF_TOKEN or 'hf auth login' works too";
  if (code === 'GatedRepo' || (status === 403 && code === null)) {
    const then = token === undefined ? `, then ${logIn}` : ', with the account of the token';
    return failed('no_access', `the repository is gated: ask for access at ${page}${then}`);
  }
  if (code === 'RevisionNotFound') return failed('not_found', 'the repository has no such revision');
  if (code === 'EntryNotFound') return failed('not_found', 'the repository has no such file');
  if (status === 401 || status === 403 || code === 'RepoNotFound') {
    const missing = `there is no repository ${repository}, or it is private or gated`;
    return failed(
      'no_access',
      token === undefined ? `${missing}. If it is, ${logIn}` : `${missing} and the token does not give access`,
    );
  }
  if (status === 404) return failed('not_found', 'there is no such repository, revision or file');
  if (status === 416) return failed('integrity', 'the file on the server is shorter than the Hub lists');
  if (status === 429) {
    const seconds = secondsToWait(response);
    const when = seconds === undefined ? 'later' : `in ${Math.ceil(seconds)} seconds`;
    return failed(
      'http_status',
      `too many requests; try again ${when}${token === undefined ? `, or for a higher limit ${logIn}` : ''}`,
    );
  }
  return failed('http_status', 'the server failed');
}
