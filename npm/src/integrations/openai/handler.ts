// Answers requests of OpenAI's protocol: finds the route, reads the body, and writes errors.

import { checkConcurrency } from '../../generate/together/lanes.js';
import { newId } from '../ids.js';
import { ApiError, apiErrorOf } from './api_error.js';
import { chatCompletions } from './chat/completions.js';
import { completions } from './completions/completions.js';
import type { Context } from './context.js';
import { embeddings } from './embeddings.js';
import { Metrics } from './metrics.js';
import { Models } from './models.js';
import { rerank } from './rerank.js';
import { responses } from './responses/responses.js';
import { applyTemplate, detokenize, tokenize } from './tokens.js';
import type { OpenAIHandler, OpenAIOptions } from './types.js';

type Answer = (body: unknown, context: Context) => Response | Promise<Response>;

const getRoutes: Record<string, Answer> = {
  models: (_, { models }) => Response.json(models.list()),
  health: () => Response.json({ status: 'ok' }),
  metrics: (_, { metrics }) => new Response(`${metrics}`, { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
};

const postRoutes: Record<string, Answer> = {
  'chat/completions': chatCompletions,
  completions,
  embeddings,
  rerank,
  responses,
  tokenize,
  detokenize,
  'apply-template': applyTemplate,
};

/**
 * A handler of OpenAI's protocol for models of this package. It accepts and returns the Fetch API's objects, so it
 * serves a page (`new OpenAI({ fetch })`), a service worker, or a server, which limits how large bodies are.
 * @throws QuintetError INPUT if there is no model, or if `concurrency` is not allowed
 */
export function openAI(options: OpenAIOptions): OpenAIHandler {
  const models = new Models(options);
  if (options.concurrency !== undefined) checkConcurrency(options.concurrency, 'openAI');
  const metrics = new Metrics();
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const name = routeOf(new URL(request.url).pathname);
    metrics.begin();
    let response: Response;
    try {
      response = await answer(request, name, { models, metrics, options, request });
    } catch (error) {
      const failure = apiErrorOf(error);
      response = Response.json(failure, { status: failure.status, headers: failure.headers });
    }
    response.headers.set('x-request-id', newId('req_'));
    metrics.end(name, response.status);
    return response;
  };
}

/** The route of `GET /v1/models/NAME`. */
const oneModel = 'models/{name}';

/** The route of a path, by its end, since a handler may be at any path. */
function routeOf(path: string): string {
  if (nameIn(path) !== '') return oneModel;
  return Object.keys({ ...postRoutes, ...getRoutes }).find((name) => path.endsWith(`/${name}`)) ?? '';
}

/** Names of models may have slashes. */
function nameIn(path: string): string {
  const [, name = ''] = /\/models\/(.+)$/.exec(path) ?? [];
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function answer(request: Request, name: string, context: Context): Promise<Response> {
  const { method, url } = request;
  const { pathname } = new URL(url);
  if (name === '') throw new ApiError(404, `there is no ${pathname}`, null, 'unknown_url');
  const isPost = Object.hasOwn(postRoutes, name);
  const allow = isPost ? 'POST' : 'GET';
  if (method !== allow) throw new ApiError(405, `${pathname} needs ${allow}`, null, 'method_not_allowed', { allow });
  if (name === oneModel) return Response.json(context.models.describe(nameIn(pathname)));
  return isPost ? postRoutes[name]!(await bodyOf(request), context) : getRoutes[name]!(undefined, context);
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'the body is not valid JSON', null, 'invalid_json');
  }
}
