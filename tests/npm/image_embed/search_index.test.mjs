// A search index of pictures that is asked in words.
import { ImageEmbedder, SearchIndex } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { clip, cosine, dinov2, siglip, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { noise } from '../helpers/pictures.mjs';

const pictures = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.png`, noise(40, 40 + i, 3, i + 1)]));

let embedder;
beforeAll(async () => {
  embedder = await ImageEmbedder.load(clip);
});
afterAll(() => embedder.close());

async function indexOf(options = { embedder }) {
  const index = new SearchIndex(options);
  for (const [id, picture] of Object.entries(pictures)) index.add({ id, vector: await embedder.embedImage(picture) });
  return index;
}

test('pictures and texts share one space: hits are in the order of their cosines', async () => {
  const index = await indexOf();
  const vector = await embedder.embedText('a red truck');
  const hits = await index.search('a red truck', { k: 5 });
  expect(hits).toEqual(index.nearest(vector, { k: 5 }));
  for (const { id, score } of hits) {
    expect(score).toBeCloseTo(cosine(vector, await embedder.embedImage(pictures[id])), 5);
  }
  const [best] = index.nearest(await embedder.embedImage(pictures['3.png']), { k: 1 });
  expect(best.id).toBe('3.png');
  expect(best.score).toBeCloseTo(1, 5);
});

test('texts can be in it too', async () => {
  const index = await indexOf();
  await index.addTexts([{ id: 'caption', text: 'a red truck' }]);
  const [best] = await index.search('a red truck', { k: 1 });
  expect(best).toMatchObject({ id: 'caption', text: 'a red truck' });
  expect(await failureOf(index.addTexts([{ id: 1, text: 'a' }], { truncate: 'chunk' }))).toMatchObject({
    code: 'UNSUPPORTED',
  });
});

test('a saved index records its model, even if only the text tower is loaded', async () => {
  const saved = await (await indexOf()).save();
  await withEmbedder(clip, { towers: 'text' }, async (texts) => {
    const loaded = await SearchIndex.load(saved, { embedder: texts });
    expect(loaded.size).toBe(5);
    expect(await loaded.search('two birds')).toEqual(await (await indexOf()).search('two birds'));
  });
  await withEmbedder(siglip, {}, async (other) =>
    expect(await failureOf(SearchIndex.load(saved, { embedder: other }))).toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining('another model'),
    }),
  );
});

test('an index of a model without a text tower is searched by vectors, and records only its dimension', async () => {
  await withEmbedder(dinov2, {}, async (other) => {
    const index = new SearchIndex({ embedder: other });
    const vector = await other.embedImage(pictures['0.png']);
    index.add({ id: 'a', vector });
    expect(await failureOf(index.search('a dog'))).toMatchObject({ code: 'UNSUPPORTED' });
    const loaded = await SearchIndex.load(await index.save(), { embedder: other });
    expect(loaded.nearest(vector)).toEqual(index.nearest(vector));
    expect(await failureOf(SearchIndex.load(await index.save(), { embedder }))).toMatchObject({ code: 'INPUT' });
  });
  // The tower of pictures alone does not show whether it is the same model.
  const saved = await (await indexOf()).save();
  await withEmbedder(clip, { towers: 'image' }, async (alone) => {
    expect(await failureOf(SearchIndex.load(saved, { embedder: alone }))).toMatchObject({ code: 'UNSUPPORTED' });
  });
});

test('vectors of an image embedder cannot be shortened', async () => {
  const index = new SearchIndex({ embedder, dimension: 8 });
  expect(await failureOf(index.search('a'))).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/shortened/),
  });
});
