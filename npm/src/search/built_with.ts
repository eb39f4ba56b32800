// The model of an index's vectors, as a saved index remembers it. Sizes and names do not distinguish two models with
// the same architecture, and a hash of the weights would distinguish the same model in two formats, whose vectors can
// be compared. So the index keeps the vector of a fixed text, the probe: it depends on all weights and on the
// tokenizer, and costs one short text.

import { inputError, messageOf } from '../base/errors.js';
import { isA } from '../base/values.js';
import { rolePrompt } from '../embed/prompts.js';
import { broken } from './index_tensors.js';
import type { IndexEmbedder, IndexPrompts, LoadIndexOptions } from './search_options.js';
import { textEmbedder } from './text_embedder.js';
import { quantizeInt8 } from './vectors/int8_vector.js';

/** A few tokens of several scripts, with accents, case and punctuation, which tokenizers treat differently. */
const probeText = 'Quintet no. 5: déjà vu, 東京';

/**
 * Between the probes of a model and of its quantized version the cosine is above 0.98; between two models far below.
 */
const leastCosine = 0.95;

export interface BuiltWith {
  /** The name from the model's files, for messages. */
  name: string;
  /** Number of elements of its vectors. An index may have fewer. */
  dimension: number;
  /** The prompts that the index puts before its texts. */
  prompts: IndexPrompts;
  /** The vector of the probe in int8. */
  probe: Int8Array;
}

export async function builtWith(embedder: IndexEmbedder, given: IndexPrompts | undefined): Promise<BuiltWith> {
  const { dimension, prompts: known = {} } = embedder;
  const probe = new Int8Array(dimension);
  quantizeInt8(await probeVector(embedder), probe);
  return { name: nameOf(embedder), dimension, prompts: indexPrompts(known, given), probe };
}

/** The vector of the probe: the sum of those of its tokens, or all elements of a sparse one. */
async function probeVector(embedder: IndexEmbedder): Promise<Float32Array> {
  const { vectors: kind, dimension } = embedder;
  const all = new Float32Array(dimension);
  if (kind === 'multi') {
    const [tokens] = await embedder.embedMulti!([probeText]);
    tokens!.vectors.forEach((value, i) => (all[i % dimension]! += value));
    return all;
  }
  if (kind === 'sparse') {
    const [sparse] = await embedder.embedSparse!([probeText]);
    sparse!.indices.forEach((id, i) => (all[id] = sparse!.values[i]!));
    return all;
  }
  const [vector] = await embedder.embedDocuments([probeText], { prompt: '' });
  return vector!;
}

/** The prompts that are put before texts: those that were given, or those of the model. */
export function indexPrompts(known: Readonly<Record<string, string>>, given: IndexPrompts = {}): IndexPrompts {
  const query = given.query ?? rolePrompt(known, 'query');
  const document = given.document ?? rolePrompt(known, 'document');
  return { ...(query !== undefined && { query }), ...(document !== undefined && { document }) };
}

/** Whether vectors of both can be compared. */
export const isSameModel = (one: BuiltWith, other: BuiltWith): boolean =>
  one.dimension === other.dimension && cosine(one.probe, other.probe) >= leastCosine;

/**
 * Throws unless an embedder is the model of a saved index, or might be: of vectors from elsewhere only the dimension is
 * known.
 */
export async function checkEmbedder(
  embedder: NonNullable<LoadIndexOptions['embedder']>,
  dimension: number,
  saved: BuiltWith | undefined,
): Promise<void> {
  if (!saved) {
    if (embedder.dimension === dimension) return;
    throw inputError(
      'mismatch',
      `load: the index has dimension ${dimension}, but vectors of the embedder have ${embedder.dimension}`,
    );
  }
  const isCandidate = embedder.dimension === saved.dimension;
  if (isCandidate && isSameModel(saved, await builtWith(textEmbedder(embedder), saved.prompts))) return;
  const given = `${nameOf(embedder)} (${embedder.dimension} dimensions)`;
  throw inputError(
    'mismatch',
    `load: the index was built with another model: ${saved.name} (${saved.dimension} dimensions), not ${given}`,
  );
}

function nameOf({ info }: Pick<IndexEmbedder, 'info'>): string {
  const { metadata = {}, architecture } = info ?? {};
  const names = [metadata['general.name'], metadata['name'], architecture];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? 'a model';
}

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (x: Int8Array, y: Int8Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  // A model may give the vector 0 to a text without a known token.
  return lengths === 0 ? Number(dot(a, a) === dot(b, b)) : dot(a, b) / lengths;
}

/** For the metadata of a file. */
export function builtWithJson({ name, dimension, prompts, probe }: BuiltWith): string {
  const bytes = new Uint8Array(probe.buffer, probe.byteOffset, probe.length);
  return JSON.stringify({
    name,
    dimension,
    prompts,
    probe: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  });
}

/** @throws QuintetError FORMAT if the text is something else */
export function parseBuiltWith(json: string): BuiltWith {
  let value: Record<string, unknown>;
  let probe: Int8Array;
  try {
    value = JSON.parse(json) as Record<string, unknown>;
    probe = Int8Array.from(atob(value['probe'] as string), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw broken('malformed', `the metadata 'embedder' is invalid: ${messageOf(cause)}`);
  }
  const { name, dimension, prompts } = value;
  const isPrompts =
    isA(prompts, 'Object') && Object.values(prompts as object).every((prompt) => typeof prompt === 'string');
  if (typeof name !== 'string' || dimension !== probe.length || !isPrompts) {
    throw broken('malformed', "the metadata 'embedder' is invalid");
  }
  return { name, dimension, prompts: indexPrompts({}, prompts as IndexPrompts), probe };
}
