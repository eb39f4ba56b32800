// Session.perplexity: a text after what a session holds, against the logits of both as one.
import { TextGenerator } from 'quintet';
import { failureOf } from '../../helpers/expectations.mjs';
import { idsOf, logSoftmax, story, threads, withGenerator } from '../../helpers/generator_fixtures.mjs';
import { fixturePath } from '../../helpers/model_fixtures.mjs';

const greedy = { temperature: 0, maxTokens: 8 };
const prompt = 'Once upon a time, there was a little';
const more = ' girl named Lily. She loved to play outside.';

/** Mean of -ln p of the ids from `first` on, each after those before it. */
async function surprise(generator, ids, first) {
  const all = await generator.logits(ids, { all: true });
  const vocabulary = all.length / ids.length;
  let sum = 0;
  for (let at = first; at < ids.length; at++) {
    sum -= logSoftmax(all.subarray((at - 1) * vocabulary, at * vocabulary))[ids[at]];
  }
  return sum / (ids.length - first);
}

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let ids;
  let held;
  let session;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
    ids = [...(await generator.tokenize(more, { addBos: false }))];
  });
  // After an answer its last token still waits to be computed.
  beforeEach(async () => {
    session = generator.createSession();
    await session.generate(prompt, greedy).finished;
    held = [...session.tokens];
  });
  afterEach(() => session.close());
  afterAll(() => generator.close());

  test('all tokens of a text count after what the session holds', async () => {
    const expected = await surprise(generator, [...held, ...ids], held.length);
    for (const text of [more, ids]) {
      const { perplexity, tokens } = await session.perplexity(text);
      expect(tokens).toBe(ids.length);
      expect(Math.log(perplexity)).toBeCloseTo(expected, 4);
    }
  });

  test('a single token counts, too', async () => {
    const { perplexity, tokens } = await session.perplexity(ids.slice(0, 1));
    expect(tokens).toBe(1);
    expect(Math.log(perplexity)).toBeCloseTo(-logSoftmax(await session.logits())[ids[0]], 4);
  });

  test('in an empty session it equals that of the text alone', async () => {
    const empty = generator.createSession();
    expect(await empty.perplexity(prompt)).toEqual(await generator.perplexity(prompt));
    expect(empty.length).toBe(0);
    empty.close();
  });

  test('the session stays as it is', async () => {
    const twin = session.fork();
    await session.perplexity(more);
    expect([...session.tokens]).toEqual(held);
    expect(await session.logits()).toEqual(await twin.logits());
    expect(await idsOf(session.generate('', greedy))).toEqual(await idsOf(twin.generate('', greedy)));
    twin.close();
  });

  test('it reports progress', async () => {
    const progress = [];
    await session.perplexity(ids, { onProgress: (...step) => progress.push(step) });
    expect(progress.at(-1)).toEqual([ids.length, ids.length]);
  });

  test('an abort leaves the session usable', async () => {
    const controller = new AbortController();
    const long = Array.from({ length: 400 }, (_unused, i) => ids[i % ids.length]);
    const call = session.perplexity(long, { signal: controller.signal, onProgress: () => controller.abort() });
    expect((await failureOf(call)).code).toBe('ABORTED');
    expect((await failureOf(session.perplexity(ids, { signal: controller.signal }))).code).toBe('ABORTED');
    expect((await session.perplexity(ids)).tokens).toBe(ids.length);
    expect([...session.tokens]).toEqual(held);
  });

  test('closing ends it', async () => {
    const call = session.perplexity(more);
    session.close();
    expect((await failureOf(call)).code).toBe('CLOSED');
    expect((await generator.perplexity(prompt)).perplexity).toBeGreaterThan(1);
  });

  test.each([
    ['no tokens', () => session.perplexity([]), 'missing'],
    ['an empty text', () => session.perplexity(''), 'missing'],
    ['one token in an empty session', () => generator.createSession().perplexity([5]), 'missing'],
    ['an id outside the vocabulary', () => session.perplexity([1e6]), 'out_of_range'],
    ['more than the context has room for', () => session.perplexity(Array(512 - held.length + 1).fill(5)), 'limit'],
    ['an option that there is not', () => session.perplexity(ids, { stride: 1 }), 'unknown_option'],
    ['no text at all', () => session.perplexity(7), 'wrong_type'],
  ])('%s', async (__, call, reason) => {
    expect(await failureOf(call)).toMatchObject({ code: 'INPUT', reason });
    expect([...session.tokens]).toEqual(held);
  });

  test('a full context', async () => {
    const room = Array(512 - held.length).fill(5);
    expect((await session.perplexity(room)).tokens).toBe(room.length);
  });
});

test('after a loaded cache its keys and values are used, and stay', () =>
  withGenerator(story, {}, async (generator) => {
    const source = generator.createSession();
    await source.generate(prompt, greedy).finished;
    const file = await source.saveCache({ compression: 'INT4' });
    const [loaded, twin] = [generator.createSession(), generator.createSession()];
    for (const session of [loaded, twin]) await session.loadCache(file);
    const scored = await loaded.perplexity(more);
    expect(Math.abs(scored.perplexity - (await source.perplexity(more)).perplexity)).toBeGreaterThan(1e-3);
    expect(await loaded.saveCache()).toEqual(await twin.saveCache());
    for (const session of [source, loaded, twin]) session.close();
  }));

// A session keeps the part of its window that the next token sees, which can be less than what the last one saw.
test('after a sliding window', () =>
  withGenerator(fixturePath('amb/mistral-window.amb'), {}, async (generator) => {
    const ids = Array.from({ length: 60 }, (_, i) => 3 + ((i * 37) % 400));
    for (const length of [1, 5, 31, 35, 36, 40]) {
      const session = generator.createSession();
      await session.generate(ids.slice(0, length), { temperature: 0, maxTokens: 1 }).finished;
      session.rewind(length);
      const { perplexity } = await session.perplexity(ids.slice(length));
      expect(Math.log(perplexity)).toBeCloseTo(await surprise(generator, ids, length), 4);
      session.close();
    }
  }));
