// Access to the server: API keys, and pages of other origins.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface AccessRules {
  /** Without a key, anybody may ask. */
  apiKey?: string | undefined;
  /** Origins whose pages may ask; '*' for all. */
  origins: readonly string[];
  /**
   * Names that requests may address the server by; undefined: all. A page that rebinds its own name to this machine has
   * another.
   */
  hosts?: readonly string[] | undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

export class Access {
  private readonly key: Buffer | undefined;

  constructor(private readonly rules: AccessRules) {
    this.key = rules.apiKey === undefined ? undefined : digest(rules.apiKey);
  }

  /** Why a request is rejected: a status and a message; undefined if it is allowed. */
  refusal(headers: IncomingHttpHeaders, isPublic: boolean): readonly [status: number, message: string] | undefined {
    const { host = '', origin } = headers;
    const { hosts } = this.rules;
    if (hosts && !hosts.includes(hostname(host))) return [403, 'this server does not answer to that name'];
    if (origin !== undefined && !this.allows(origin) && !isOwn(origin, host)) {
      return [403, 'pages of this origin may not use this server: see --cors'];
    }
    if (isPublic || this.key === undefined) return undefined;
    const [, given] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    // Digests all have one length, and comparing them takes the same time for any key.
    if (given !== undefined && timingSafeEqual(digest(given), this.key)) return undefined;
    return [401, 'the API key is missing or wrong'];
  }

  /** The headers that a page of this origin needs. */
  corsHeaders({ origin }: IncomingHttpHeaders): Record<string, string> {
    if (origin === undefined || !this.allows(origin)) return {};
    return { 'access-control-allow-origin': origin, vary: 'origin', 'access-control-expose-headers': 'x-request-id' };
  }

  private allows(origin: string): boolean {
    return this.rules.origins.some((allowed) => allowed === '*' || allowed === origin);
  }
}

/** `[::1]:8080` is `[::1]`. */
const hostname = (host: string) => host.replace(/:\d*$/, '').toLowerCase();

/** Whether the origin is that of the server's own pages. */
const isOwn = (origin: string, host: string) => /^https?:\/\/(.+)$/.exec(origin)?.[1] === host;

/** Names of this machine that only programs on it can use. */
export const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
