// POST /v1/embeddings (https://platform.openai.com/docs/api-reference/embeddings/create)

import { oneOf } from '../../base/values.js';
import type { Embedder } from '../../embed/embedder.js';
import type { EmbedOptions, TextRole } from '../../embed/options.js';
import { invalidField } from './api_error.js';
import type { Context } from './context.js';
import { anything, boolean, Fields, given, integer, text } from './fields.js';
import { inputsOf } from './inputs.js';

/** Names that other services use for the roles of texts in a search. */
const roles: Record<string, TextRole> = {
  query: 'query',
  search_query: 'query',
  document: 'document',
  passage: 'document',
  search_document: 'document',
};

const rules = {
  model: text,
  user: text,
  input: anything,
  dimensions: integer(1, 2 ** 31 - 1),
  encoding_format: oneOf('float', 'base64'),
  // Not part of OpenAI's API: the prompt of the model before the texts, as in Cohere's and NVIDIA's services.
  input_type: oneOf(...Object.keys(roles)),
  prompt_name: text,
  // Not part of OpenAI's API: truncates texts that are too long instead of rejecting them, as in
  // text-embeddings-inference.
  truncate: boolean,
};

export async function embeddings(body: unknown, { models, metrics, request }: Context): Promise<Response> {
  const fields = new Fields(body, rules);
  const inputs = inputsOf(fields.require('input'), 'input');
  if (inputs.includes('')) throw invalidField('input', 'without empty texts');
  const embedder = await models.named(fields, 'embedder');
  const type = fields.get<string>('input_type');
  const options = given<EmbedOptions>({
    truncate: fields.isTrue('truncate') ? 'end' : 'error',
    dimensions: fields.get('dimensions'),
    role: type === undefined ? undefined : roles[type],
    promptName: fields.get('prompt_name'),
    signal: request.signal,
  });
  const { vectors, tokens } = await vectorsOf(inputs, embedder, options);
  metrics.use({ prompt: tokens, cached: 0, completion: 0 });
  const write = fields.get('encoding_format') === 'base64' ? base64Of : (vector: Float32Array) => Array.from(vector);
  return Response.json({
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: write(vector) })),
    model: fields.get('model'),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

async function vectorsOf(inputs: readonly (string | readonly number[])[], embedder: Embedder, options: EmbedOptions) {
  const texts = inputs.filter((input) => typeof input === 'string');
  const encoding = await embedder.encode(texts, options);
  const { dimension } = encoding;
  let tokens = encoding.tokens.reduce((sum, count) => sum + count, 0);
  let next = 0;
  const vectors: Float32Array[] = [];
  for (const input of inputs) {
    if (typeof input === 'string') {
      vectors.push(encoding.vectors.subarray(next * dimension, ++next * dimension));
    } else {
      vectors.push(await embedder.embedIds(input, idOptions(options)));
      tokens += input.length;
    }
  }
  return { vectors, tokens };
}

/** Options for input that is not text. */
function idOptions({ role, promptName, truncate: _truncate, ...others }: EmbedOptions): EmbedOptions {
  if ((role ?? promptName) === undefined) return others;
  throw invalidField('input', 'texts, if they have a prompt');
}

/** The form that clients decode: float32, little-endian like everything that runs WebAssembly. */
const base64Of = (vector: Float32Array): string => btoa(String.fromCharCode(...new Uint8Array(vector.slice().buffer)));
