// An HTTP server for a handler of OpenAI's protocol: limits, access, the log, and how it ends.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenAIHandler } from '../../integrations/openai/index.js';
import { Access, type AccessRules } from './access.js';
import { chatPage, contentPolicy } from './chat_page.js';
import { readBody, requestOf, send, type Target, targetOf } from './messages.js';
import type { ModelPool } from './model_pool.js';

export interface ServerOptions extends AccessRules {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Maximum number of bytes of a body. */
  maxBody: number;
  /** Requests in progress or queued; further ones are rejected. */
  maxRequests: number;
  /** Milliseconds after which a client is cut off that neither sends its request nor reads its answer. */
  stalledMs: number;
  /** Gets an entry for each request: its target and its outcome, never its content. */
  log(entry: LogEntry): void;
}

export interface LogEntry {
  time: string;
  method: string;
  path: string;
  /** 499 if the client left before it had the whole answer. */
  status: number;
  ms: number;
  bytes: number;
}

const maxHeaderBytes = 16 << 10;
/** A client has this long to send its headers, and all of its request. */
const headersMs = 10_000;
const requestMs = 60_000;
/** Longer than proxies keep connections that they are not using, so that it is they who close them. */
const keepAliveMs = 75_000;

/** The status in nginx's log for a client that has left. */
const clientLeft = 499;

/** Methods that the handler answers; the server itself answers OPTIONS. */
const methods = ['GET', 'HEAD', 'POST'];

/** Paths that need no key: pages have none until somebody types it, and monitors of the server have none. */
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
    const settings = {
      ...limits,
      keepAliveTimeout: keepAliveMs,
      // The system finds clients that have vanished while nothing is sent to them.
      keepAlive: true,
      keepAliveInitialDelay: options.stalledMs,
    };
    this.server = createServer(settings, (message, response) => void this.answer(message, response));
    this.server.setTimeout(options.stalledMs);
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

  /** Finishes the requests in progress and rejects new ones; after `graceMs` it cuts the connections. */
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
    let status = clientLeft;
    response.on('finish', () => {
      if (!message.socket.destroyed) status = response.statusCode;
    });
    const { method = '', url = '' } = message;
    const path = url.replace(/\?.*$/, '');
    const entry = { time: new Date().toISOString(), method, path };
    let bytes = 0;
    this.running += 1;
    try {
      bytes = await this.respond(message, response, gone.signal);
    } catch {
      // The connection broke.
      response.destroy();
    } finally {
      this.running -= 1;
      const ms = Math.round(performance.now() - started);
      this.options.log({ ...entry, status, ms, bytes });
      if (this.isEnding) this.server.closeIdleConnections();
    }
  }

  private async respond(message: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<number> {
    const { maxBody, stalledMs } = this.options;
    const reply = (answer: Response) => send(answer, response, signal, stalledMs);
    for (const [name, value] of Object.entries({ ...securityHeaders, ...this.access.corsHeaders(message.headers) }))
      response.setHeader(name, value);
    const target = targetOf(message);
    if (!target) return reply(failure(400, 'the target of the request is malformed', { connection: 'close' }));
    const refused = this.refusal(message, target);
    if (refused) return reply(refused);
    if (message.method === 'OPTIONS') return reply(preflight(message));
    if (target.path === '/')
      return reply(new Response(chatPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }));
    const body = await readBody(message, maxBody);
    if (body === undefined) return reply(failure(413, `the body is larger than ${maxBody} bytes`));
    response.setTimeout(0);
    const { result, release } = await this.pool.during(() => this.handler(requestOf(message, target, body, signal)));
    try {
      return await reply(result);
    } finally {
      release();
    }
  }

  private refusal({ headers, method = '' }: IncomingMessage, { path, host }: Target): Response | undefined {
    const isPublic = method === 'OPTIONS' || publicPaths.includes(path);
    const refused = this.access.refusal({ ...headers, host }, isPublic);
    if (refused) return failure(...refused, refused[0] === 401 ? { 'www-authenticate': 'Bearer' } : {});
    if (this.isEnding) return failure(503, 'the server is shutting down', { connection: 'close' });
    if (!isPublic && !methods.includes(method)) {
      return failure(405, `there is no ${method} here`, { allow: methods.join(', ') });
    }
    if (this.running > this.options.maxRequests && !isPublic) {
      return failure(429, 'too many requests in progress', { 'retry-after': '1' });
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
