// Types of the handler for OpenAI's protocol.

import type { Embedder } from '../../embed/embedder.js';
import type { TextGenerator } from '../../generate/text_generator.js';
import type { Reranker } from '../../rerank/reranker.js';

/** A model that requests can name. */
export type ServedModel = TextGenerator | Embedder | Reranker;

/** A model, one that is still being loaded, or a function that is called for each request that names the model. */
export type ServedModelSource = ServedModel | Promise<ServedModel> | (() => ServedModel | Promise<ServedModel>);

/** Options of `openAI`. */
export interface OpenAIOptions {
  /** The models by the names that requests give them. */
  models: Readonly<Record<string, ServedModelSource>>;
  /** The number of answers of a model that are computed together, from 1 to 64; others wait. Default: 8. */
  concurrency?: number;
}

/**
 * Answers a request of OpenAI's protocol, which is given as to `fetch`. It never throws: errors are answers, too, and a
 * client that is gone ends its generation.
 */
export type OpenAIHandler = (request: Request | URL | string, init?: RequestInit) => Promise<Response>;
