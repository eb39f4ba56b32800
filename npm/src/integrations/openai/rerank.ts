// POST /v1/rerank, in the form of Jina and Cohere, which llama.cpp's server and Continue share.

import type { RankOptions } from '../../rerank/options.js';
import { newId } from '../ids.js';
import { invalidField } from './api_error.js';
import type { Context } from './context.js';
import { boolean, Fields, given, integer, list, text } from './fields.js';

const rules = {
  model: text,
  query: text,
  documents: list,
  top_n: integer(1, 2 ** 31 - 1),
  return_documents: boolean,
  user: text,
};

export async function rerank(body: unknown, { models, request }: Context): Promise<Response> {
  const fields = new Fields(body, rules);
  const documents = fields.require<unknown[]>('documents').map(documentText);
  const reranker = await models.named(fields, 'reranker');
  const options = given<RankOptions>({ topK: fields.get('top_n'), signal: request.signal });
  const ranked = await reranker.rank(fields.require('query'), documents, options);
  const results = ranked.map(({ index, score, text: found }) => ({
    index,
    relevance_score: score,
    ...(fields.isTrue('return_documents') && { document: { text: found } }),
  }));
  // Voyage's clients, and Continue, look for them in `data`.
  const model = fields.get('model');
  return Response.json({ id: newId('rerank-'), object: 'list', model, results, data: results });
}

function documentText(document: unknown, i: number): string {
  const found = typeof document === 'string' ? document : Object(document).text;
  if (typeof found === 'string') return found;
  throw invalidField(`documents[${i}]`, "a string or an object with a 'text'");
}
