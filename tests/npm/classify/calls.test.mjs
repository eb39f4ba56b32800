// Calls on one classifier: their order, aborts, closing, memory.
import { getEventListeners } from 'node:events';
import { ImageClassifier } from 'quintet';
import { small, threads } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { expectNothingLives, expectSteadyMemory, liveObjectsOf } from '../helpers/freed_models.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { gradient, noise } from '../helpers/pictures.mjs';
import { run } from '../helpers/program.mjs';

const path = fixturePath(small.path);
const many = Array(300).fill(noise(300, 200));

describe.each(threads)('%s', (_, worker) => {
  let classifier;
  beforeEach(async () => {
    classifier = await ImageClassifier.load(path, { worker });
  });
  afterEach(() => classifier.close());
  const expectUsable = async () =>
    expect(distance(await classifier.logits(small.input(), small.shape), small.logits)).toBeLessThanOrEqual(
      small.tolerance.logits_abs,
    );

  test('they run one after another in the order in which they were made', async () => {
    const finished = [];
    const calls = [
      classifier.classifyBatch(many.slice(0, 3)).then(() => finished.push('batch')),
      classifier.classify(new Blob([new Uint8Array(4)])).catch(() => finished.push('broken')),
      classifier.classify(gradient()).then(() => finished.push('one')),
      classifier.logits(small.input(), small.shape).then(() => finished.push('logits')),
    ];
    await Promise.all(calls);
    expect(finished).toEqual(['batch', 'broken', 'one', 'logits']);
  });

  test("the caller's data may change while the call waits", async () => {
    const expected = [await classifier.logits(gradient()), await classifier.logits(small.input(), small.shape)];
    const [picture, input, shape] = [gradient(), small.input(), [...small.shape]];
    const calls = [
      classifier.classifyBatch(many.slice(0, 2)),
      classifier.logits(picture),
      classifier.logits(input, shape),
    ];
    picture.data.fill(0);
    input.fill(0);
    shape.fill(1);
    expect((await Promise.all(calls)).slice(1)).toEqual(expected);
  });

  test("the caller's arrays are not transferred", async () => {
    const [picture, input] = [gradient(4), small.input()];
    await classifier.classify(picture);
    await classifier.logits(input, small.shape);
    expect(picture).toEqual(gradient(4));
    expect(input).toEqual(small.input());
  });

  test('an abort ends the batch that runs, and the next call continues', async () => {
    const controller = new AbortController();
    const reason = new Error('never mind');
    const call = classifier.classifyBatch(many, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    expect(await failureOf(call)).toMatchObject({ code: 'ABORTED', cause: reason });
    await expectUsable();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('an abort within a picture', async () => {
    // A picture of this size takes far longer than the time that it is given.
    const large = await ImageClassifier.load(path, { worker, inputSize: 1024 });
    const call = large.classify(gradient(), { signal: AbortSignal.timeout(5) });
    expect((await failureOf(call)).cause.name).toBe('TimeoutError');
    const logits = await large.logits(small.input(), small.shape);
    expect(distance(logits, small.logits)).toBeLessThanOrEqual(small.tolerance.logits_abs);
    large.close();
    expect(await failureOf(classifier.classify(gradient(), { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
    await expectUsable();
  });

  test('a call that waits can be aborted without touching the one that runs', async () => {
    const controller = new AbortController();
    const running = classifier.classifyBatch(many.slice(0, 4));
    const waiting = classifier.classify(gradient(), { signal: controller.signal });
    controller.abort();
    expect((await failureOf(waiting)).code).toBe('ABORTED');
    expect(await running).toHaveLength(4);
  });

  test('errors thrown by a callback reject the call', async () => {
    const thrown = new Error('no more');
    const onProgress = () => {
      throw thrown;
    };
    await expect(classifier.classifyBatch(many, { onProgress })).rejects.toBe(thrown);
    await expectUsable();
  });

  test('closing ends running, waiting and later calls', async () => {
    const calls = [
      classifier.classifyBatch(many),
      classifier.classify(gradient()),
      classifier.logits(small.input(), small.shape),
    ];
    classifier.close();
    classifier.close();
    calls.push(classifier.classify(gradient()), classifier.classifyBatch(many), classifier.logits(gradient()));
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'CLOSED', reason: 'closed' });
  });
});

test('closing in the middle of a call frees the model', async () => {
  const classifier = await ImageClassifier.load(path);
  const closed = [];
  const running = classifier.classifyBatch(many, { onProgress: () => closed.push(classifier.close()) });
  await expect(running).rejects.toMatchObject({ code: 'CLOSED' });
  expect(closed).toHaveLength(1);
  await expectNothingLives();
});

test('loading and closing a hundred times needs no more memory than a few times', () =>
  expectSteadyMemory(async () => {
    const classifier = await ImageClassifier.load(path, { inputSize: 64 });
    await classifier.classify(gradient());
    classifier.close();
  }));

test('`using` closes', async () => {
  const classifier = await ImageClassifier.load(path);
  if (Symbol.dispose) classifier[Symbol.dispose]();
  else classifier.close();
  await expectNothingLives();
  expect((await failureOf(classifier.classify(gradient()))).code).toBe('CLOSED');
});

test('a model without references is freed', async () => {
  const live = await liveObjectsOf(
    'ImageClassifier',
    `const image = { data: new Uint8Array(12), width: 2, height: 2, channels: 3 };
     await (async () => { await (await ImageClassifier.load(${JSON.stringify(path)}, { inputSize: 64 })).classify(image); })();`,
  );
  expect(live).toEqual([1, 0]);
});

test.each([false, true])('a model that is not closed does not keep the process alive (worker: %s)', async (worker) => {
  const answer = await run(
    `import { ImageClassifier } from 'quintet';
     const classifier = await ImageClassifier.load(${JSON.stringify(path)}, { worker: ${worker}, inputSize: 64 });
     const image = { data: new Uint8Array(12), width: 2, height: 2, channels: 3 };
     const { length } = await classifier.classify(image);
     console.log(JSON.stringify([length, classifier.info.runtime.worker]));`,
  );
  expect(answer).toEqual([5, worker]);
});
