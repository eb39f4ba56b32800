// POST /v1/embeddings (https://platform.openai.com/docs/api-reference/embeddings/create)

import { oneOf } from '../base/values.js';
import type { Embedder } from '../embed/embedder.js';
import type { EmbedOptions, TextRole } from '../embed/options.js';
import { invalidField } from './api_error.js';
import type { Context } from './context.js';
import { anything, boolean, integer, readFields, required, text } from './fields.js';
import { inputsOf } from './inputs.js';
import { identification } from './sampling.js';

/** What other services call a text that is searched for, or found. */
const roles: Record<string, TextRole> = {
  query: 'query',
  search_query: 'query',
  document: 'document',
  passage: 'document',
  search_document: 'document',
};

const rules = {
  ...identification,
  model: text,
  input: anything,
  dimensions: integer(1, 2 ** 31 - 1),
  encoding_format: oneOf('float', 'base64'),
  // Not of OpenAI: which prompt of the model stands before the texts, as Cohere's and NVIDIA's services have it.
  input_type: oneOf(...Object.keys(roles)),
  prompt_name: text,
  // Not of OpenAI: cut off the ends of texts that are too long, instead of refusing them, as text-embeddings-inference has it.
  truncate: boolean,
} as const;

export async function embeddings(body: unknown, { models, metrics, signal }: Context): Promise<Response> {
  const fields = readFields(body, rules);
  const inputs = inputsOf(required(fields, 'input'), 'input');
  if (inputs.includes('')) throw invalidField('input', "'input' must not contain an empty text");
  const embedder = await models.named(fields, 'embedder');
  const { dimensions, input_type: type, prompt_name: promptName, truncate } = fields;
  const options: EmbedOptions = {
    truncate: truncate === true ? 'end' : 'error',
    ...(dimensions !== undefined && { dimensions: dimensions as number }),
    ...(type !== undefined && { role: roles[type as string]! }),
    ...(promptName !== undefined && { promptName: promptName as string }),
    signal,
  };
  const { vectors, tokens } = await vectorsOf(inputs, embedder, options);
  metrics.use({ prompt: tokens, cached: 0, completion: 0 });
  const written = fields['encoding_format'] === 'base64' ? base64Of : (vector: Float32Array) => Array.from(vector);
  return Response.json({
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: written(vector) })),
    model: fields['model'],
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

/** Options for what is not a text. */
function idOptions({ role, promptName, truncate: _truncate, ...others }: EmbedOptions): EmbedOptions {
  if ((role ?? promptName) === undefined) return others;
  throw invalidField('input', 'token ids are used as they are: no prompt stands before them');
}

/** Little-endian float32, as the clients decode it. */
function base64Of(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  vector.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return btoa(Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join(''));
}
