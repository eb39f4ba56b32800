// Several texts at once: each is the one that its prompt gives alone, regardless of what happens to the others.
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { idsOf, story, threads, tokensOf, withGenerator } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const instructions = Array.from({ length: 8 }, (_, i) => `There were ${i} dogs and a cat.`).join(' ');
const prompts = [
  'Once upon a time, there was a little',
  'The dog',
  `${instructions} Lily said`,
  `${instructions} Tom ran to the`,
  Array.from({ length: 30 }, () => 'the big dog ran.').join(' '),
  'One day, Ben and his mom went to the park and',
  [5, 9, 200, 31],
  `${instructions} Lily saw a`,
  'A',
  'It was a',
];

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
  });
  afterAll(() => generator.close());

  /** The result of each prompt with a model that does nothing else. */
  const alone = (given, options) =>
    withGenerator(story, {}, async (other) => {
      const ids = [];
      for (const prompt of given) ids.push(await idsOf(other.generate(prompt, options)));
      return ids;
    });

  test.each([
    ['the most probable tokens', { temperature: 0, maxTokens: 30 }],
    ['random tokens with a seed', { seed: 7, maxTokens: 30, temperature: 1.2 }],
    ['texts with stop strings', { temperature: 0, maxTokens: 60, stop: ['.', 'was'] }],
    ['texts of a grammar', { seed: 3, maxTokens: 25, grammar: 'root ::= ([a-z]+ " ")* "."' }],
    ['texts with penalties and logprobs', { seed: 5, maxTokens: 20, repetitionPenalty: 1.3, logprobs: 2 }],
    ['one at a time', { temperature: 0, maxTokens: 8, concurrency: 1 }],
    ['all at once', { temperature: 0, maxTokens: 8, concurrency: 64 }],
  ])('%s equal those of each prompt alone', async (_, options) => {
    const { concurrency: _concurrency, ...each } = options;
    const together = await Promise.all(generator.generateMany(prompts, options).map(idsOf));
    expect(together).toEqual(await alone(prompts, each));
  });

  test('sessions that generate at the same time give the same as alone', async () => {
    const options = { temperature: 0, maxTokens: 25 };
    const given = prompts.slice(0, 5);
    const sessions = given.map(() => generator.createSession());
    const together = await Promise.all(sessions.map((session, i) => idsOf(session.generate(given[i], options))));
    expect(together).toEqual(await alone(given, options));
    // Each holds only its own tokens.
    const more = await Promise.all(sessions.map((session) => idsOf(session.generate([4, 6], options))));
    const [, , third] = sessions;
    expect(third.length).toBe(third.tokens.length);
    const whole = Array.from(third.tokens).slice(0, -more[2].length);
    expect(more[2]).toEqual((await alone([whole], options))[0]);
    for (const session of sessions) session.close();
  });

  test('text, tokens and the summary are as those of one generation', async () => {
    const options = { temperature: 0, maxTokens: 12 };
    const [text, tokens, parts] = generator.generateMany(['The dog', 'The cat', 'A bird'], options);
    expect(await text.text()).toBe(await generator.generate('The dog', options).text());
    const expected = generator.generate('The cat', options);
    const list = await tokensOf(tokens);
    expect(list).toEqual(await tokensOf(expected));
    const { prefillMs: _1, decodeMs: _2, prefillTokens: _3, ...summary } = await tokens.finished;
    expect(await expected.finished).toMatchObject(summary);
    let said = '';
    for await (const part of parts.parts()) said += part.text;
    expect(said).toBe(await generator.generate('A bird', options).text());
  });

  test('a common beginning is computed once', async () => {
    await withGenerator(story, { worker }, async (other) => {
      const shared = Array.from({ length: 120 }, (_, i) => 3 + ((i * 7) % 400));
      const given = Array.from({ length: 6 }, (_, i) => [...shared, 10 + i, 20 + i]);
      const generations = other.generateMany(given, { temperature: 0, maxTokens: 5 });
      const summaries = await Promise.all(generations.map(({ finished }) => finished));
      const computed = summaries.reduce((sum, { prefillTokens }) => sum + prefillTokens, 0);
      expect(summaries.map(({ promptTokens }) => promptTokens)).toEqual(given.map(() => 122));
      expect(computed).toBeLessThanOrEqual(122 + 5 * 3);
      // Texts of later calls are the same, too.
      const [later] = other.generateMany([[...shared, 99]], { temperature: 0, maxTokens: 5 });
      expect(await later.finished).toMatchObject({ promptTokens: 121, prefillTokens: 1 });
      expect(await idsOf(other.generateMany([given[2]], { temperature: 0, maxTokens: 5 })[0])).toEqual(
        (await alone([given[2]], { temperature: 0, maxTokens: 5 }))[0],
      );
    });
  });

  test('an unread text does not hold up the others', async () => {
    const options = { temperature: 0, maxTokens: 40, concurrency: 2 };
    const generations = generator.generateMany(prompts, options);
    const last = await generations.at(-1).text();
    expect(last).toBe(await generator.generate(prompts.at(-1), { temperature: 0, maxTokens: 40 }).text());
    const ids = await Promise.all(generations.slice(0, -1).map(idsOf));
    expect(ids).toEqual(await alone(prompts.slice(0, -1), { temperature: 0, maxTokens: 40 }));
  });

  test('leaving one early changes nothing for the others', async () => {
    const options = { temperature: 0, maxTokens: 40 };
    const [left, ...others] = generator.generateMany(prompts, options);
    const expected = await alone(prompts.slice(1), options);
    const rest = Promise.all(others.map(idsOf));
    let taken = 0;
    for await (const _ of left) if (++taken === 3) break;
    expect(await rest).toEqual(expected);
  });

  test('an abort ends all, and each has the beginning of its text', async () => {
    const controller = new AbortController();
    const options = { temperature: 0, maxTokens: 200 };
    const expected = await alone(prompts, options);
    const generations = generator.generateMany(prompts, { ...options, signal: controller.signal });
    const ids = prompts.map(() => []);
    const read = async (generation, i) => {
      for await (const { id } of generation) {
        ids[i].push(id);
        if (i === 1 && ids[i].length === 10) controller.abort();
      }
    };
    await Promise.all(generations.map(read));
    ids.forEach((some, i) => expect(some).toEqual(expected[i].slice(0, some.length)));
    expect(ids[1].length).toBeLessThan(200);
    expect(await generations[1].finished).toMatchObject({ reason: 'abort' });
    expect(await generations[9].finished).toMatchObject({ reason: 'abort', tokens: 0 });
  });

  test('an error in one prompt does not affect the others', async () => {
    const tooLong = Array.from({ length: generator.contextLength + 1 }, () => 5);
    const [good, long, outside, wrong, alsoGood] = generator.generateMany(
      ['The dog', tooLong, [5, 1e6], { not: 'a prompt' }, 'The cat'],
      { temperature: 0, maxTokens: 9 },
    );
    const texts = Promise.all([good.text(), alsoGood.text()]);
    expect((await failureOf(long.text())).code).toBe('INPUT');
    expect((await failureOf(outside.text())).code).toBe('INPUT');
    expect((await failureOf(wrong.text())).code).toBe('INPUT');
    expect(await texts).toEqual([
      await generator.generate('The dog', { temperature: 0, maxTokens: 9 }).text(),
      await generator.generate('The cat', { temperature: 0, maxTokens: 9 }).text(),
    ]);
  });

  test('a callback that throws for one prompt ends only that one', async () => {
    const bad = (await generator.tokenize('The cat')).length;
    const seen = [];
    const logitsProcessor = (_, tokens) => {
      seen.push(tokens.length);
      if (tokens.length === bad + 3 && seen.filter((length) => length === bad + 3).length === 1) throw new Error('no');
    };
    const given = ['The cat', prompts[5]];
    const generations = generator.generateMany(given, { temperature: 0, maxTokens: 9, logitsProcessor });
    const results = await Promise.allSettled(generations.map(idsOf));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(results[0].reason.message).toBe('no');
    expect(results[1].value).toEqual((await alone([prompts[5]], { temperature: 0, maxTokens: 9 }))[0]);
  });

  test('closing the model in the middle fails unfinished texts', async () => {
    const other = await TextGenerator.load(story, { worker });
    const generations = other.generateMany(prompts, { temperature: 0, maxTokens: 200 });
    const [first] = generations;
    const reader = first[Symbol.asyncIterator]();
    await reader.next();
    const results = Promise.allSettled(generations.slice(1).map((generation) => generation.text()));
    other.close();
    for (const { reason } of await results) expect(reason).toMatchObject({ code: 'CLOSED' });
  });

  test('invalid calls throw', async () => {
    expect((await failureOf(async () => generator.generateMany('The dog'))).reason).toBe('wrong_type');
    for (const concurrency of [0, 65, 1.5, '2']) {
      const [text] = generator.generateMany(['The dog'], { concurrency });
      expect((await failureOf(text.text())).code).toBe('INPUT');
    }
    expect(generator.generateMany([])).toEqual([]);
    const [one] = generator.generateMany(['The dog'], { temperatur: 0 });
    expect((await failureOf(one.text())).code).toBe('INPUT');
  });
});

test('models with recurrent layers and windows share beginnings, too', async () => {
  for (const file of ['lfm2', 'gemma3', 'qwen35']) {
    await withGenerator(fixturePath(`families/${file}.gguf`), { contextLength: 96 }, async (generator) => {
      const shared = Array.from({ length: 50 }, (_, i) => (i * 13 + 7) % 200);
      const given = Array.from({ length: 5 }, (_, i) => [...shared, 30 + i, 40 + i, 50 + i]);
      const options = { temperature: 0, maxTokens: 20 };
      const together = await Promise.all(generator.generateMany(given, options).map(idsOf));
      for (const [i, prompt] of given.entries()) {
        const session = generator.createSession();
        expect(together[i]).toEqual(await idsOf(session.generate(prompt, options)));
        session.close();
      }
    });
  }
});
