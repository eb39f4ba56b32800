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

describe('addImages', () => {
  const entries = Object.entries(pictures).map(([id, image], i) => ({ id, image, payload: { i } }));
  const added = async () => {
    const index = await indexOf();
    for (const { id, payload } of entries) index.add({ ...index.get(id), payload });
    return index;
  };
  const broken = { id: 'broken', image: new TextEncoder().encode('no picture') };
  async function* later(list) {
    for (const entry of list) yield entry;
  }

  test('adds what add() does with the vectors of the model, from an array or a stream', async () => {
    const right = await (await added()).save();
    for (const given of [entries, later(entries), new Set(entries)]) {
      const index = new SearchIndex({ embedder });
      const progress = [];
      const onProgress = (...numbers) => progress.push(numbers);
      expect(await index.addImages(given, { onProgress })).toBe(5);
      expect(await index.save()).toEqual(right);
      expect(progress).toEqual(entries.map((_, i) => [i + 1, given === entries ? 5 : Infinity]));
    }
  });

  test('a broken picture ends the call, or is left out and reported', async () => {
    const [first, second, ...others] = entries;
    const given = [first, broken, second, broken, ...others, broken];
    const stopped = new SearchIndex({ embedder });
    const failure = await failureOf(stopped.addImages(given));
    expect(failure).toMatchObject({ code: 'FORMAT', message: expect.stringMatching(/^image 1: /) });
    expect(stopped.ids()).toEqual(['0.png']);
    const index = new SearchIndex({ embedder });
    const errors = [];
    const done = [];
    const options = { onError: (id, { code }) => errors.push([id, code]), onProgress: (count) => done.push(count) };
    expect(await index.addImages(given, options)).toBe(5);
    expect(errors).toEqual(Array.from({ length: 3 }, () => ['broken', 'FORMAT']));
    expect(done).toEqual(given.map((_, i) => i + 1));
    expect(await index.save()).toEqual(await (await added()).save());
  });

  test('an abort or an error of the entries leaves the entries that were added', async () => {
    const controller = new AbortController();
    const index = new SearchIndex({ embedder });
    const { signal } = controller;
    const onProgress = (done) => done === 2 && controller.abort();
    expect(await failureOf(index.addImages(entries, { signal, onProgress }))).toMatchObject({ code: 'ABORTED' });
    expect(index.ids()).toEqual(['0.png', '1.png']);
    async function* failing() {
      yield entries[2];
      throw new TypeError('the camera is gone');
    }
    await expect(index.addImages(failing(), { onError: () => {} })).rejects.toThrow('the camera is gone');
    expect(index.ids()).toEqual(['0.png', '1.png', '2.png']);
  });

  test.each([
    [7, /must be an iterable of objects, not number/],
    [[7], /entry 0 must be an object with an id and an image, not number/],
    [[{ id: {}, image: pictures['0.png'] }], /id/],
    [[{ id: 1, picture: pictures['0.png'] }], /picture/],
  ])('%j is rejected', async (given, message) => {
    const index = new SearchIndex({ embedder });
    expect(await failureOf(index.addImages(given))).toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(message),
    });
    expect(index.size).toBe(0);
  });

  test('needs a model of pictures', async () => {
    expect(await failureOf(new SearchIndex({ dimension: 4 }).addImages(entries))).toMatchObject({ code: 'INPUT' });
    await withEmbedder(clip, { towers: 'text' }, async (texts) => {
      const failure = await failureOf(new SearchIndex({ embedder: texts }).addImages(entries));
      expect(failure).toMatchObject({ code: 'UNSUPPORTED', message: expect.stringMatching(/image tower/) });
    });
  });
});
