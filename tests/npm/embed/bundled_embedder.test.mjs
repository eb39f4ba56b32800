// The bundled embedder against float64 vectors of the model it was converted from, and its card's retrieval figures.
import { readFileSync } from 'node:fs';
import { Embedder, SearchIndex } from 'quintet';
import { corpus, embedder as file, queries } from '../../../models/index.js';

const golden = JSON.parse(readFileSync(new URL('../../fixtures/embedder/golden.json', import.meta.url), 'utf8'));
const passages = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const questions = JSON.parse(readFileSync(queries, 'utf8'));

const CARD = { recallAt1: 0.65, recallAt5: 0.9 };
const ONE_QUESTION = 1 / questions.length;

const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];

describe.each(variants)('%s', (variant) => {
  let embedder;
  beforeAll(async () => {
    embedder = await Embedder.load(file, { variant });
  });
  afterAll(() => embedder.close());

  test.each(golden.cases)('$text', async ({ text, ids, embedding }) => {
    expect([...(await embedder.tokenize(text))].slice(0, ids.length - 1)).toEqual(ids.slice(0, -1));
    const vector = await embedder.embed(text);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const cosine = embedding.reduce((sum, x, i) => sum + x * vector[i], 0);
    expect(cosine).toBeGreaterThanOrEqual(0.99);
  });

  test('finds as many answers as its model card says', async () => {
    const index = new SearchIndex({ dimension: embedder.dimension, storage: 'int8' });
    const vectors = await embedder.embed(passages.map(({ text }) => text));
    passages.forEach(({ id }, i) => index.add({ id, vector: vectors[i] }));
    const ranks = [];
    for (const { query, relevant } of questions) {
      const hits = index.nearest(await embedder.embed(query), { k: 5 });
      ranks.push(hits.findIndex(({ id }) => relevant.includes(id)));
    }
    const recall = (k) => ranks.filter((rank) => rank >= 0 && rank < k).length / questions.length;
    expect(recall(1)).toBeGreaterThanOrEqual(CARD.recallAt1 - ONE_QUESTION - 1e-9);
    expect(recall(5)).toBeGreaterThanOrEqual(CARD.recallAt5 - ONE_QUESTION - 1e-9);
  });
});

test('every passage names its source and licence', () => {
  expect(passages).toHaveLength(461);
  for (const { id, text, source } of passages) {
    expect(id).toMatch(/^p\d{3}$/);
    expect(text.length).toBeGreaterThan(0);
    expect(source).toMatch(/^OpenStax, .+ CC BY 4\.0 \(openstax\/[\w-]+ @ [0-9a-f]{12}\)$/);
  }
});
