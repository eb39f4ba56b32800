// An HTTP server for a handler of OpenAI's protocol: limits, access, the log, and how it ends.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenAIHandler } from '../../integrations/openai/index.js';
import { Access, type AccessRules } from './access.js';
import { chatPage, contentPolicy } from './chat_page.js';
import { readBody, requestOf, send } from './messages.js';
import type { ModelPool } from './model_pool.js';

export interface ServerOptions extends AccessRules {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Maximum number of bytes of a body. */
  maxBody: number;
  /** Requests that are answered or wait; more are refused. */
  maxRequests: number;
  /** Gets an entry for each request: what was asked for and how it ended, never what was said. */
  log(entry: LogEntry): void;
}

export interface LogEntry {
  time: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  bytes: number;
}

const maxHeaderBytes = 16 << 10;
/** A client has this long to send its headers, and all of its request. */
const headersMs = 10_000;
const requestMs = 60_000;
/** A connection on which nothing moves is closed. */
const idleSocketMs = 120_000;

/** What everybody may ask for: pages have no key before somebody types it, and what watches the server has none. */
const publicPaths = ['/', '/health'];

const securityHeaders = { 'x-content-type-options': 'nosniff', 'content-security-policy': contentPolicy };

export class ModelServer {
  private readonly server: Server;
  private readonly access: Access;
  private running = 0;
  private isEnding = false;

  constructor(
    private readonly handler: OpenAIHandler,
    private readonly pool: ModelPool,
    private readonly options: ServerOptions,
  ) {
    this.access = new Access(options);
    const limits = { maxHeaderSize: maxHeaderBytes, headersTimeout: headersMs, requestTimeout: requestMs };
    this.server = createServer(limits, (message, response) => void this.answer(message, response));
    this.server.setTimeout(idleSocketMs);
    this.server.on('clientError', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'));
  }

  /** Returns the URL of the server. */
  async start(): Promise<string> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    const { address, family, port: bound } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
  }

  /** Answers what has been asked, and refuses what is asked meanwhile; after `graceMs` it cuts connections. */
  async end(graceMs: number): Promise<void> {
    this.isEnding = true;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    const cut = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
    await this.pool.close();
  }

  private async answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { method = '', url = '' } = message;
    const path = url.replace(/\?.*$/, '');
    const entry = { time: new Date().toISOString(), method, path };
    let bytes = 0;
    this.running += 1;
    try {
      bytes = await this.respond(message, response, path, gone.signal);
    } catch {
      // The connection broke.
      response.destroy();
    } finally {
      this.running -= 1;
      const ms = Math.round(performance.now() - started);
      this.options.log({ ...entry, status: response.statusCode, ms, bytes });
    }
  }

  private async respond(
    message: IncomingMessage,
    response: ServerResponse,
    path: string,
    signal: AbortSignal,
  ): Promise<number> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    for (const [name, value] of Object.entries(this.access.corsHeaders(message.headers)))
      response.setHeader(name, value);
    const refused = this.refusal(message, path);
    if (refused) return send(refused, response, signal);
    if (message.method === 'OPTIONS') return send(preflight(message), response, signal);
    if (path === '/') {
      return send(
        new Response(chatPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
        response,
        signal,
      );
    }
    const body = await readBody(message, this.options.maxBody);
    if (body === undefined) {
      return send(
        failure(413, `the body is larger than ${this.options.maxBody} bytes`, { connection: 'close' }),
        response,
        signal,
      );
    }
    const { result, release } = await this.pool.during(() => this.handler(requestOf(message, body, signal)));
    try {
      return await send(result, response, signal);
    } finally {
      release();
    }
  }

  private refusal({ headers, method }: IncomingMessage, path: string): Response | undefined {
    const isPublic = method === 'OPTIONS' || publicPaths.includes(path);
    const refused = this.access.refusal(headers, isPublic);
    if (refused) return failure(...refused, refused[0] === 401 ? { 'www-authenticate': 'Bearer' } : {});
    if (this.isEnding) return failure(503, 'the server is ending', { connection: 'close' });
    if (this.running > this.options.maxRequests && !isPublic) {
      return failure(429, 'too many requests are waiting', { 'retry-after': '1' });
    }
    return undefined;
  }
}

/** In the form of OpenAI's protocol. */
function failure(status: number, message: string, headers: Record<string, string> = {}): Response {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return Response.json({ error: { message, type, param: null, code: null } }, { status, headers });
}

/** The answer to a browser that asks whether a page may ask (https://fetch.spec.whatwg.org/#cors-preflight-request). */
function preflight({ headers }: IncomingMessage): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type, authorization',
      'access-control-max-age': '600',
    },
  });
}
