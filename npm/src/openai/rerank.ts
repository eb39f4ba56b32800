// POST /v1/rerank, in the form of Jina and Cohere, which llama.cpp's server and Continue share.

import { invalidField } from './api_error.js';
import type { Context } from './context.js';
import { boolean, type Fields, integer, list, readFields, required, text } from './fields.js';
import { newId } from './ids.js';

const rules = {
  model: text,
  query: text,
  documents: list,
  top_n: integer(1, 2 ** 31 - 1),
  return_documents: boolean,
  user: text,
} as const;

export async function rerank(body: unknown, { models, signal }: Context): Promise<Response> {
  const fields = readFields(body, rules);
  const documents = required<unknown[]>(fields, 'documents').map(documentText);
  const reranker = await models.named(fields, 'reranker');
  const { top_n: topK } = fields;
  const ranked = await reranker.rank(required<string>(fields, 'query'), documents, {
    ...(topK !== undefined && { topK: topK as number }),
    signal,
  });
  return Response.json({
    id: newId('rerank-'),
    object: 'list',
    model: fields['model'],
    results: ranked.map(({ index, score, text: found }) => ({
      index,
      relevance_score: score,
      ...(fields['return_documents'] === true && { document: { text: found } }),
    })),
  });
}

function documentText(document: unknown, i: number): string {
  const found = typeof document === 'string' ? document : (Object(document) as Fields)['text'];
  if (typeof found === 'string') return found;
  throw invalidField(`documents[${i}]`, `'documents[${i}]' must be a string, or an object with a string 'text'`);
}
