// Sessions: what they hold, and how it continues.
import { TextGenerator } from 'quintet';
import { distance, failureOf } from '../../helpers/expectations.mjs';
import { expectSteadyMemory, liveObjectsOf } from '../../helpers/freed_models.mjs';
import { idsOf, runCases, story, threads, withGenerator } from '../../helpers/generator_fixtures.mjs';
import { fixturePath } from '../../helpers/model_fixtures.mjs';

const greedy = { temperature: 0, maxTokens: 8 };
const prompt = 'Once upon a time, there was a little';

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let ids;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
    ids = [...(await generator.tokenize(prompt))];
  });
  afterAll(() => generator.close());

  test('it holds the prompt and the generated text', async () => {
    const session = generator.createSession();
    expect([session.length, [...session.tokens]]).toEqual([0, []]);
    const made = await idsOf(session.generate(prompt, greedy));
    expect([...session.tokens]).toEqual([...ids, ...made]);
    expect(session.length).toBe(ids.length + made.length);
    expect(distance(await session.logits(), await generator.logits([...ids, ...made]))).toBeLessThan(1e-3);
    session.close();
  });

  test('the next text continues it', async () => {
    const session = generator.createSession();
    const whole = await idsOf(generator.generate(prompt, { ...greedy, maxTokens: 16 }));
    const parts = [...(await idsOf(session.generate(prompt, greedy))), ...(await idsOf(session.generate('', greedy)))];
    expect(parts).toEqual(whole);
    const more = [...(await generator.tokenize(' The end.', { addBos: false }))];
    const { promptTokens } = await session.generate(' The end.', { ...greedy, maxTokens: 1 }).finished;
    expect(promptTokens).toBe(more.length);
    expect([...session.tokens.slice(0, -1)]).toEqual([...ids, ...parts, ...more]);
    session.close();
  });

  test('a fork goes its own way', async () => {
    const session = generator.createSession();
    await session.generate(prompt, greedy).finished;
    const fork = session.fork();
    expect([...fork.tokens]).toEqual([...session.tokens]);
    const [one, other] = await Promise.all([
      idsOf(session.generate(' dog', greedy)),
      idsOf(fork.generate(' cat', greedy)),
    ]);
    const held = [...fork.tokens];
    session.close();
    expect([...fork.tokens]).toEqual(held);
    expect(await idsOf(fork.generate('', greedy))).toHaveLength(8);
    expect(one).not.toEqual(other);
    fork.close();
  });

  test('a fork of a busy session that is closed at once has what the session held', async () => {
    const session = generator.createSession();
    const made = idsOf(session.generate(prompt, greedy));
    const fork = session.fork();
    expect(await fork.logits()).toHaveLength(generator.info.tokenizer.size);
    expect([...fork.tokens]).toEqual([...ids, ...(await made)]);
    const second = fork.fork();
    fork.close();
    session.close();
    expect(await idsOf(second.generate('', { ...greedy, maxTokens: 2 }))).toHaveLength(2);
    second.close();
  });

  test('rewinding forgets', async () => {
    const session = generator.createSession();
    const first = await idsOf(session.generate(prompt, greedy));
    session.rewind(ids.length);
    expect([...session.tokens]).toEqual(ids);
    expect(await idsOf(session.generate('', greedy))).toEqual(first);
    const running = session.generate('', greedy);
    session.rewind(3);
    await running.finished;
    await session.logits();
    expect([...session.tokens]).toEqual(ids.slice(0, 3));
    for (const wrong of [4, -1, 1.5, '1']) {
      expect(() => session.rewind(wrong)).toThrow(expect.objectContaining({ code: 'INPUT', reason: 'out_of_range' }));
    }
    session.close();
  });

  test('tokens that were not read are not in it', async () => {
    const session = generator.createSession();
    const taken = [];
    const running = session.generate(prompt, { ...greedy, maxTokens: 200 });
    for await (const { id } of running) if (taken.push(id) === 3) break;
    expect([...session.tokens]).toEqual([...ids, ...taken]);
    const whole = session.generate('', { ...greedy, maxTokens: 6 });
    await whole.finished;
    // This reads to the end, however many tokens are looked at afterwards.
    const [first] = await idsOf(whole);
    expect([...session.tokens].slice(0, -5)).toEqual([...ids, ...taken, first]);
    expect(session.length).toBe(ids.length + taken.length + 6);
    session.close();
  });

  test('after an abort it holds the delivered tokens', async () => {
    const session = generator.createSession();
    const controller = new AbortController();
    const taken = [];
    for await (const { id } of session.generate(prompt, { ...greedy, maxTokens: 300, signal: controller.signal })) {
      if (taken.push(id) === 4) controller.abort();
    }
    expect([...session.tokens]).toEqual([...ids, ...taken]);
    session.close();
  });

  test('an empty one has no logits; a full one takes no more', async () => {
    const session = generator.createSession();
    expect((await failureOf(session.logits())).code).toBe('INPUT');
    expect((await failureOf(session.generate([]).text())).code).toBe('INPUT');
    const { reason } = await session.generate(prompt, { ...greedy, maxTokens: 10_000 }).finished;
    expect(['length', 'eos']).toContain(reason);
    const room = generator.contextLength - session.length;
    expect(await failureOf(session.generate(Array(room + 1).fill(5)).text())).toMatchObject({ code: 'INPUT' });
    session.close();
  });

  test('two run independently', async () => {
    const sessions = [generator.createSession(), generator.createSession()];
    const texts = await Promise.all(sessions.map((session) => session.generate(prompt, greedy).text()));
    expect(texts[0]).toBe(texts[1]);
    const [first, second] = sessions;
    const order = [];
    const long = [1, 2, 3].map(() => {
      first.rewind(5);
      return first.generate('', { ...greedy, maxTokens: 480 }).finished;
    });
    await Promise.all([
      Promise.all(long).then(() => order.push('long')),
      second.logits().then(() => order.push('short')),
    ]);
    expect(order).toEqual(['short', 'long']);
    for (const session of sessions) session.close();
  });

  test('closing ends only its own calls', async () => {
    const session = generator.createSession();
    const running = session.generate(prompt, { ...greedy, maxTokens: 400 });
    const waiting = session.logits();
    const forked = session.fork();
    session.close();
    session.close();
    for (const call of [running.text(), waiting, session.logits(), session.generate('a').text()]) {
      expect((await failureOf(call)).code).toBe('CLOSED');
    }
    expect(await generator.generate(prompt, greedy).text()).not.toBe('');
    forked.close();
  });
});

test('leaving a finished generation does not affect later calls', () =>
  withGenerator(story, {}, async (generator) => {
    const generation = generator.generate(prompt, greedy);
    await generation.finished;
    const scored = generator.perplexity('Once upon a time, there was a little girl named Lily. '.repeat(20));
    for await (const token of generation) if (token) break;
    expect((await scored).perplexity).toBeGreaterThan(1);
  }));

test('a conversation replaces what it holds', () =>
  withGenerator(fixturePath('amb/mistral-window.amb'), {}, async (generator) => {
    const session = generator.createSession();
    await session.generate('Hello, world!', { maxTokens: 2 }).finished;
    const messages = [{ role: 'user', content: 'The small model reads the text.' }];
    const chat = { chat: { template: 'mistral' }, temperature: 0, maxTokens: 4 };
    const { promptTokens } = await session.generate(messages, chat).finished;
    expect(session.length).toBeGreaterThanOrEqual(promptTokens);
    expect(session.length).toBeLessThanOrEqual(promptTokens + 4);
    expect(session.tokens[0]).toBe(1);
    session.close();
  }));

// A sliding window drops the positions before it.
test('rewinding before a sliding window computes again', async () => {
  const { path, ids } = runCases.find(({ path: name }) => name.includes('mistral'));
  await withGenerator(fixturePath(path), { kvCache: 'f32' }, async (generator) => {
    const session = generator.createSession();
    const long = Array.from({ length: 120 }, (_, i) => ids[i % ids.length]).slice(0, generator.contextLength - 1);
    await session.generate(long, { temperature: 0, maxTokens: 1 }).finished;
    session.rewind(5);
    expect([...session.tokens]).toEqual(long.slice(0, 5));
    const fresh = await generator.logits(long.slice(0, 5));
    expect(distance(await session.logits(), fresh)).toBeLessThan(1e-4);
    session.close();
  });
});

test('a model with short convolutions rewinds, and its cache is saved with its states', async () => {
  await withGenerator(fixturePath('families/lfm2.gguf'), {}, async (generator) => {
    const session = generator.createSession();
    const ids = Array.from({ length: 100 }, (_, i) => (i * 37) % 280);
    await session.generate(ids, { temperature: 0, maxTokens: 1 }).finished;
    session.rewind(20);
    const expected = await generator.logits(ids.slice(0, 20));
    expect(distance(await session.logits(), expected)).toBeLessThan(1e-4);
    const restored = generator.createSession();
    await restored.loadCache(await session.saveCache());
    expect([...restored.tokens]).toEqual(ids.slice(0, 20));
    expect(distance(await restored.logits(), expected)).toBeLessThan(1e-4);
    session.close();
    restored.close();
  });
});

test('memory is freed: when closed, without references, or with the generator', async () => {
  const cycle = async () => {
    const generator = await TextGenerator.load(story);
    const session = generator.createSession();
    await session.generate('Once', { maxTokens: 3 }).finished;
    session.fork();
    generator.close();
  };
  await expectSteadyMemory(cycle, 50);
  const live = await liveObjectsOf(
    'TextGenerator',
    `globalThis.kept = await TextGenerator.load(${JSON.stringify(story)});
     await (async () => { await kept.createSession().generate('Once', { maxTokens: 3 }).finished; })();`,
    1,
  );
  expect(live).toEqual([2, 1]);
});
