// Calls on one image embedder: streams, aborts, closing, what is refused, memory.
import { getEventListeners } from 'node:events';
import { capabilities, ImageEmbedder } from 'quintet';
import { threads } from '../helpers/classifier_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { expectNothingLives, expectSteadyMemory } from '../helpers/freed_models.mjs';
import { clip, imageFile } from '../helpers/image_embedder_fixtures.mjs';
import { noise } from '../helpers/pictures.mjs';

const pictures = Array.from({ length: 6 }, (_, i) => noise(40 + i, 50, 3, i + 1));
const broken = Uint8Array.of(1, 2, 3);

async function* later(images, log = {}) {
  try {
    for (const [i, image] of images.entries()) {
      await new Promise(setImmediate);
      log.read = i + 1;
      yield image;
    }
  } finally {
    log.ended = true;
  }
}

async function collected(stream) {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
}

describe.each(threads)('%s', (_, worker) => {
  let embedder;
  beforeEach(async () => {
    embedder = await ImageEmbedder.load(clip, { worker });
  });
  afterEach(() => embedder.close());

  test('lists and streams have the vectors of each picture, in order', async () => {
    const alone = [];
    for (const picture of pictures) alone.push(await embedder.embedImage(picture));
    const progress = [];
    const onProgress = (...numbers) => progress.push(numbers);
    expect(await embedder.embedImage(pictures, { onProgress })).toEqual(alone);
    expect(progress).toEqual(pictures.map((_, i) => [i + 1, pictures.length]));
    expect(await collected(embedder.embedImageStream(later(pictures)))).toEqual(alone);
    expect(await collected(embedder.embedImageStream(new Set(pictures)))).toEqual(alone);
    expect(await embedder.embedImage([])).toEqual([]);
    expect(await collected(embedder.embedImageStream([]))).toEqual([]);
  });

  test("files and pixels, without transferring the caller's data", async () => {
    const file = imageFile('wide.png');
    const copy = new Uint8Array(file);
    const vector = await embedder.embedImage(file);
    expect(await embedder.embedImage(new Blob([file]))).toEqual(vector);
    expect(await embedder.embedImage([file, file.slice().buffer])).toEqual([vector, vector]);
    expect(await collected(embedder.embedImageStream([file, pictures[0]]))).toEqual([
      vector,
      await embedder.embedImage(pictures[0]),
    ]);
    expect(file).toEqual(copy);
    expect(pictures[0]).toEqual(noise(40, 50, 3, 1));
  });

  test('a stream reads at most two pictures ahead of its reader', async () => {
    const log = {};
    const stream = embedder.embedImageStream(later(pictures, log));
    for (let i = 0; i < 3; ++i) {
      await stream.next();
      for (let turn = 0; turn < 50; ++turn) await new Promise(setImmediate);
      expect(log.read).toBeLessThanOrEqual(i + 2);
    }
    await stream.return();
    expect(log.ended).toBe(true);
    expect(await collected(embedder.embedImageStream(pictures.slice(0, 1)))).toHaveLength(1);
  });

  test('an error names the picture, and ends the stream', async () => {
    const log = {};
    const found = [];
    const reading = async () => {
      for await (const vector of embedder.embedImageStream(later([pictures[0], pictures[1], broken, pictures[2]], log)))
        found.push(vector);
    };
    expect(await failureOf(reading)).toMatchObject({ code: 'FORMAT', message: expect.stringMatching(/^image 2: /) });
    expect(found).toHaveLength(2);
    expect(log.ended).toBe(true);
    expect(await failureOf(embedder.embedImage([pictures[0], broken]))).toMatchObject({
      code: 'FORMAT',
      message: expect.stringMatching(/^image 1: /),
    });
    expect(await failureOf(embedder.embedImage(broken))).toMatchObject({ code: 'FORMAT' });
    expect(await embedder.embedImage(pictures[0])).toEqual(found[0]);
  });

  test('errors thrown by a source reach the reader', async () => {
    async function* failing() {
      yield pictures[0];
      throw new Error('the camera is gone');
    }
    await expect(collected(embedder.embedImageStream(failing()))).rejects.toThrow('the camera is gone');
  });

  test('other calls run between the pictures of a stream', async () => {
    const stream = embedder.embedImageStream(later(pictures));
    const first = await stream.next();
    expect(await embedder.embedText('a dog')).toHaveLength(embedder.dimension);
    const rest = await collected(stream);
    expect([first.value, ...rest]).toEqual(await embedder.embedImage(pictures));
  });

  test('an abort ends a call, and the next continues', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const call = embedder.embedImage(Array(200).fill(noise(300, 200)), {
      signal,
      onProgress: () => controller.abort('enough'),
    });
    expect(await failureOf(call)).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    for (const aborted of [
      embedder.embedImage(pictures[0], { signal }),
      embedder.embedText('a dog', { signal }),
      embedder.embedText(['a dog'], { signal }),
      embedder.classify(pictures[0], ['dog'], { signal }),
      collected(embedder.embedImageStream(pictures, { signal })),
    ])
      expect(await failureOf(aborted)).toMatchObject({ code: 'ABORTED' });
    expect(await embedder.embedImage(pictures[0])).toHaveLength(embedder.dimension);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('a stream whose source hangs can be aborted', async () => {
    const controller = new AbortController();
    const hanging = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
    const reading = collected(embedder.embedImageStream(hanging, { signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect(await failureOf(reading)).toMatchObject({ code: 'ABORTED' });
  });

  test('invalid input is rejected, and the next call is correct', async () => {
    const vector = await embedder.embedText('a dog');
    const cases = [
      [() => embedder.embedImage(7), 'INPUT', /an image must be/],
      [() => embedder.embedImage([7]), 'INPUT', /^image 0: an image must be/],
      [() => embedder.embedImage({ ...pictures[0], width: 2 }), 'INPUT', /needs .* samples/],
      [() => embedder.embedImage({ data: new Uint8Array(3), width: 1e6, height: 1e6 }), 'INPUT', /too large/],
      [() => embedder.embedImage(pictures[0], { topK: 1 }), 'INPUT', /no option 'topK'/],
      [() => embedder.embedPixels(new Float32Array(4800).fill(NaN), [3, 40, 40]), 'INPUT', /finite/],
      [() => embedder.embedPixels(new Float32Array(4800), [3, 40, 41]), 'INPUT', /needs 4920 values, not 4800/],
      [
        () => embedder.embedPixels(new Float32Array(3), [3, 1e9, 1e9]),
        'INPUT',
        /needs 3000000000000000000 values, not 3/,
      ],
      [() => embedder.embedPixels(new Float32Array(3), [3, 1]), 'INPUT', /needs its shape/],
      [() => embedder.embedPixels([1, 2, 3], [3, 1, 1]), 'INPUT', /must be a Float32Array, not Array/],
      [() => embedder.embedPixels(new Float32Array(3), [3, 1, 1]), 'INPUT', /./],
      [() => embedder.embedText(7), 'INPUT', /texts must be a string or an array of strings/],
      [() => embedder.embedText(['a', 7]), 'INPUT', /text 1 must be a string, not number/],
      [() => embedder.embedIds([0.5]), 'INPUT', /id 0 must be a token id/],
      [() => embedder.embedIds([734]), 'INPUT', /734/],
      [() => embedder.embedIds([]), 'INPUT', /./],
      [() => embedder.embedIds(Array(99).fill(5)), 'INPUT', /./],
      [() => embedder.tokenize(undefined), 'INPUT', /must be a string/],
      [() => embedder.classify(pictures[0], []), 'INPUT', /there are no labels/],
      [() => embedder.classify(pictures[0], 'dog'), 'INPUT', /labels must be an array of strings, not string/],
      [() => embedder.classify(pictures[0], [7]), 'INPUT', /text 0 must be a string/],
      [() => embedder.classify(pictures[0], ['dog'], { template: 'a dog' }), 'INPUT', /must contain '{}'/],
      [() => embedder.classify(pictures[0], ['dog'], { topK: 0 }), 'INPUT', /'topK' must be an integer/],
      [() => embedder.classify(broken, ['dog']), 'FORMAT', /neither a JPEG nor a PNG/],
      [() => embedder.similarity(vector, [new Float32Array(3)]), 'INPUT', /text 0 needs 20 elements, not 3/],
      [() => collected(embedder.embedImageStream(7)), 'INPUT', /must be an iterable of images, not number/],
    ];
    for (const [call, code, message] of cases) {
      expect(await failureOf(async () => call())).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    expect(await embedder.embedText('a dog')).toEqual(vector);
  });

  test('closing ends running and waiting calls', async () => {
    const stream = embedder.embedImageStream(later(pictures));
    await stream.next();
    const calls = [
      embedder.embedImage(Array(50).fill(noise(300, 200))),
      embedder.embedText('a dog'),
      embedder.classify(pictures[0], ['dog']),
    ];
    embedder.close();
    embedder.close();
    for (const call of [...calls, embedder.tokenize('a'), embedder.prepare(pictures[0]), stream.next()])
      expect(await failureOf(call)).toMatchObject({ code: 'CLOSED' });
    await expectNothingLives();
  });
});

test('loading and closing many times takes no more memory', () =>
  expectSteadyMemory(async () => {
    const embedder = await ImageEmbedder.load(clip, { threads: 1 });
    await embedder.classify(pictures[0], ['dog', 'cat']);
    embedder.close();
  }, 30));

test('an aborted load leaves nothing', async () => {
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  expect(await failureOf(ImageEmbedder.load(clip, { signal: controller.signal, onProgress }))).toMatchObject({
    code: 'ABORTED',
  });
  expect(capabilities().memory.liveObjects).toBe(0);
});
