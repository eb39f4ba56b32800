// Vectors of tokens and sparse vectors, compared with a float64 reference (tests/fixtures/token_vectors/README.md).

import { readFileSync } from 'node:fs';
import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { afterAll, expect, test } from '@jest/globals';
import { Embedder } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const cases = JSON.parse(readFileSync(fixturePath('token_vectors/expected.json'), 'utf8'));
const named = (kind) => cases.filter((each) => each.kind === kind).map((each) => [each.id, each]);
const loaded = new Map();
afterAll(() => loaded.forEach((embedder) => embedder.close()));

async function load(name) {
  if (!loaded.has(name)) loaded.set(name, await Embedder.load(fixturePath(`token_vectors/${name}`)));
  return loaded.get(name);
}

const json = (path) => JSON.parse(readFileSync(fixturePath(`token_vectors/${path}`), 'utf8'));
const distance = (a, b) => Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));

/** Sum over the rows of `query` of the largest dot product with a row of `document`. */
function maxSim(query, document, dimension) {
  const rows = (vectors) =>
    Array.from({ length: vectors.length / dimension }, (_, i) => vectors.subarray(i * dimension, (i + 1) * dimension));
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  return rows(query).reduce((sum, q) => sum + Math.max(...rows(document).map((d) => dot(q, d))), 0);
}

test.each(named('multi'))('%s gives the vectors of tokens, and MaxSim follows', async (id, expected) => {
  const embedder = await load(id);
  expect(embedder.vectors).toBe('multi');
  expect(embedder.dimension).toBe(expected.dimension);
  const results = [];
  for (const [i, { ids, role }] of expected.sequences.entries()) {
    const result = await embedder.embedMultiIds(ids, { role });
    expect(Array.from(result.kept)).toEqual(expected.kept[i]);
    expect(result.dimension).toBe(expected.dimension);
    expect(result.vectors).toHaveLength(expected.vectors[i].length);
    expect(distance(result.vectors, expected.vectors[i])).toBeLessThanOrEqual(expected.tolerance);
    results.push(result.vectors);
  }
  for (const { query, document, score } of expected.maxsim) {
    const allowed = expected.tolerance * expected.kept[query].length;
    expect(Math.abs(maxSim(results[query], results[document], expected.dimension) - score)).toBeLessThan(allowed);
  }
});

test.each(named('sparse'))('%s gives the weights of the vocabulary', async (id, expected) => {
  const embedder = await load(id);
  expect(embedder.vectors).toBe('sparse');
  expect(embedder.dimension).toBe(expected.vocabulary);
  for (const [i, { ids, role }] of expected.sequences.entries()) {
    const { indices, values } = await embedder.embedSparseIds(ids, role ? { role } : {});
    const dense = new Float64Array(expected.vocabulary);
    indices.forEach((index, at) => (dense[index] = values[at]));
    const want = new Float64Array(expected.vocabulary);
    expected.indices[i].forEach((index, at) => (want[index] = expected.values[i][at]));
    expect(distance(dense, want)).toBeLessThanOrEqual(expected.tolerance);
    expect(Array.from(indices)).toEqual(Array.from(indices).toSorted((a, b) => a - b));
    expect(values.every((value) => value > 0)).toBe(true);
  }
});

/** The ids that PyLate's tokenize() makes: the text cut to one token less, then the prefix after the first token. */
function pylateIds(name, text, role) {
  const tokenizer = new HuggingFaceTokenizer(json(`${name}/tokenizer.json`), json(`${name}/tokenizer_config.json`));
  const settings = json(`${name}/config_sentence_transformers.json`);
  const length = settings[`${role}_length`] - 1;
  const ids = Array.from(tokenizer.encode(text).ids);
  const cut = ids.length > length ? [...ids.slice(0, length - 1), ids.at(-1)] : ids;
  const prefix = tokenizer.token_to_id(settings[`${role}_prefix`]);
  return [cut[0], prefix, ...cut.slice(1)];
}

const texts = ['Hello there, world! Yes.', 'no', `${'the cat - a dog. '.repeat(20)}end`];

test.each(['query', 'document'])('texts become the tokens that PyLate gives a %s', async (role) => {
  const embedder = await load('colbert-bert');
  const results = await embedder.embedMulti(texts, { role });
  for (const [i, text] of texts.entries()) {
    const { vectors, kept } = await embedder.embedMultiIds(pylateIds('colbert-bert', text, role), { role });
    expect(Array.from(results[i].kept)).toEqual(Array.from(kept));
    expect(distance(results[i].vectors, vectors)).toBeLessThan(1e-6);
  }
});

test('a text alone gives one result, and texts that are cut are reported with their length', async () => {
  const embedder = await load('colbert-bert');
  const cut = [];
  const results = await embedder.embedMulti(texts, { onTruncate: (index, tokens) => cut.push([index, tokens]) });
  expect(results).toHaveLength(3);
  expect(cut).toEqual([[2, expect.any(Number)]]);
  expect(cut[0][1]).toBeGreaterThan(60);
  const one = await embedder.embedMulti(texts[0]);
  expect(Array.from(one.vectors)).toEqual(Array.from(results[0].vectors));
  const short = await embedder.embedMulti(texts[2], { maxLength: 10 });
  expect(Math.max(...short.kept)).toBe(9);
});

test('a query with known weights has those of its distinct tokens, without special ones', async () => {
  const embedder = await load('splade-idf');
  const ids = (await embedder.tokenize('the dog the')).slice(1, -1);
  const query = await embedder.embedSparse('the dog the', { role: 'query' });
  expect(Array.from(query.indices)).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  const byIds = await embedder.embedSparseIds(Array.from(ids), { role: 'query' });
  expect(Array.from(byIds.values)).toEqual(Array.from(query.values));
  const [document] = await embedder.embedSparse(['the dog the']);
  const whole = await embedder.embedSparseIds(Array.from(await embedder.tokenize('the dog the')));
  expect(distance(document.values, whole.values)).toBeLessThan(1e-6);
});

test('a model rejects other kinds of vectors, and names its own', async () => {
  const colbert = await load('colbert-bert');
  const splade = await load('splade-distilbert');
  const refused = async (promise) => {
    const { code, message } = await failureOf(() => promise);
    expect(code).toBe('UNSUPPORTED');
    return message;
  };
  expect(await refused(colbert.embed('cat'))).toMatch(/multi vectors.*embedMulti/);
  expect(await refused(splade.embed('cat'))).toMatch(/sparse vectors.*embedSparse/);
  expect(await refused(splade.embedMulti(['cat']))).toMatch(/sparse vectors, not multi/);
  expect(await refused(colbert.embedSparseIds([2, 3]))).toMatch(/multi vectors, not sparse/);
});

test('wrong ids and lengths are errors that leave the embedder usable', async () => {
  const colbert = await load('colbert-bert');
  const splade = await load('splade-idf');
  const code = async (call) => (await failureOf(call)).code;
  expect(await code(() => colbert.embedMultiIds([99999]))).toBe('INPUT');
  expect(await code(() => colbert.embedMultiIds([]))).toBe('INPUT');
  expect(await code(() => splade.embedSparseIds([99999], { role: 'query' }))).toBe('INPUT');
  expect(await code(() => colbert.embedMulti(['cat'], { maxLength: 2 }))).toBe('INPUT');
  expect(await code(() => colbert.embedMulti(['cat'], { role: 'passage' }))).toBe('INPUT');
  expect((await colbert.embedMulti(['cat'])).length).toBe(1);
});
