// Guessed tokens: the same text in fewer passes. What is written without them is the reference.
import { createHash } from 'node:crypto';
import { TextGenerator } from 'quintet';
import { failureOf } from '../../helpers/expectations.mjs';
import { story, threads, tokensOf, withGenerator } from '../../helpers/generator_fixtures.mjs';
import { fixturePath } from '../../helpers/model_fixtures.mjs';

// Twice the same, so that a continuation may quote.
const paragraph =
  'Once upon a time, there was a little girl named Lily. She loved to play with her ball in the park. One day, she saw a cat. ';
const prompt = paragraph + paragraph + 'Once upon a time, there was';

const schema = {
  type: 'object',
  properties: {
    customer: { type: 'object', properties: { firstName: { type: 'string', maxLength: 8 } }, required: ['firstName'] },
    category: { enum: ['complaint', 'question'] },
    isUrgent: { type: 'boolean' },
  },
  required: ['customer', 'category', 'isUrgent'],
};

const ways = [
  ['greedy', { temperature: 0, seed: 1, maxTokens: 60 }],
  ['sampled', { temperature: 1, seed: 7, maxTokens: 60 }],
  [
    'sampled with penalties',
    { temperature: 0.4, seed: 8, maxTokens: 60, repetitionPenalty: 1.02, presencePenalty: 0.1 },
  ],
  ['with a bias', { temperature: 1, seed: 9, maxTokens: 60, logitBias: { 300: -Infinity, 310: 1 } }],
  ['up to a stop string', { temperature: 0, seed: 1, maxTokens: 60, stop: ['park. O'] }],
  ['with probabilities', { temperature: 0, seed: 1, maxTokens: 40, logprobs: 2 }],
  [
    'by a grammar',
    { temperature: 1, seed: 3, maxTokens: 60, grammar: 'root ::= (" a little girl" | " a cat" | ".")*' },
  ],
  ['by a schema', { temperature: 1, seed: 4, maxTokens: 100, jsonSchema: schema }],
];

/** The result of the options for the prompt, in a session: tokens, its content, the logits after it, and its cache. */
async function written(generator, options, text = prompt) {
  const session = generator.createSession();
  const generation = session.generate(text, options);
  const tokens = await tokensOf(generation);
  const { reason, guessed = 0, promptTokens } = await generation.finished;
  const cache = createHash('sha256')
    .update(await session.saveCache({ sampler: true }))
    .digest('hex');
  const result = { tokens, reason, promptTokens, held: [...session.tokens], cache, logits: await session.logits() };
  session.close();
  return { result, guessed };
}

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let draft;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
    draft = await TextGenerator.load(story, { worker, quantize: 'int8' });
  });
  afterAll(() => {
    generator.close();
    draft.close();
  });

  test.each(ways)('%s, guesses change nothing but the number of passes', async (_way, options) => {
    const plain = await written(generator, { ...options, promptLookup: false });
    expect(plain.guessed).toBe(0);
    const [looked, usual, drafted, both] = [
      await written(generator, { ...options, promptLookup: true }),
      await written(generator, options),
      await written(generator, { ...options, draft, promptLookup: false }),
      await written(generator, { ...options, draft }),
    ];
    for (const { result } of [looked, usual, drafted, both]) expect(result).toEqual(plain.result);
    expect(looked.guessed).toBeGreaterThan(0);
    if (options.temperature === 0) expect(drafted.guessed).toBeGreaterThan(plain.result.tokens.length / 3);
  });

  test('a text that repeats its prompt is guessed', async () => {
    const { result, guessed } = await written(generator, { temperature: 0, maxTokens: 40, promptLookup: true });
    expect(guessed).toBeGreaterThan(result.tokens.length / 3);
  });

  test('a form is guessed from its schema', async () => {
    const options = { temperature: 0, maxTokens: 150, jsonSchema: schema, promptLookup: true };
    const { result, guessed } = await written(generator, options, 'A form: ');
    const text = result.tokens.map((token) => token.text).join('');
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(schema.properties));
    expect(guessed).toBeGreaterThan(result.tokens.length / 10);
  });

  test('a reader that stops early keeps only the tokens it read', async () => {
    const options = { temperature: 0, maxTokens: 60, promptLookup: true };
    const all = (await written(generator, options)).result;
    const session = generator.createSession();
    let read = 0;
    for await (const { id } of session.generate(prompt, options)) {
      expect(id).toBe(all.tokens[read].id);
      if (++read === 10) break;
    }
    expect([...session.tokens]).toEqual(all.held.slice(0, all.promptTokens + 10));
    const more = await tokensOf(session.generate('', { temperature: 0, maxTokens: 10 }));
    expect(more.map(({ id }) => id)).toEqual(all.tokens.slice(10, 20).map(({ id }) => id));
    session.close();
  });

  test('an abort keeps the tokens that were delivered', async () => {
    const session = generator.createSession();
    const abort = new AbortController();
    const options = { temperature: 0, maxTokens: 300, promptLookup: true, signal: abort.signal };
    const generation = session.generate(prompt, options);
    const ids = [];
    for await (const { id } of generation) {
      ids.push(id);
      if (ids.length === 20) abort.abort();
    }
    const { reason, tokens, promptTokens } = await generation.finished;
    expect([reason, tokens]).toEqual(['abort', ids.length]);
    expect([...session.tokens.slice(promptTokens)]).toEqual(ids);
    session.close();
  });

  test('the logits processor sees every token, and nothing is guessed', async () => {
    let calls = 0;
    const logitsProcessor = () => void ++calls;
    const options = { temperature: 0, maxTokens: 20, promptLookup: true, draft, logitsProcessor };
    const { result, guessed } = await written(generator, options);
    expect([calls, guessed]).toEqual([result.tokens.length, 0]);
  });

  test('a draft model with other tokens is rejected, and the session is unchanged', async () => {
    const session = generator.createSession();
    await session.generate('Once', { maxTokens: 2 }).finished;
    const before = [...session.tokens];
    await withGenerator(fixturePath('amb/llama-f32.amb'), { worker }, async (other) => {
      const failure = await failureOf(session.generate(' upon', { draft: other }).text());
      expect(failure).toMatchObject({ code: 'INPUT', reason: 'mismatch', message: expect.stringContaining('draft') });
    });
    expect([...session.tokens]).toEqual(before);
    const failure = await failureOf(session.generate(' upon', { draft: {} }).text());
    expect(failure).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
    session.close();
  });

  test('a draft model that is closed is an error, before and during the generation', async () => {
    const closed = await TextGenerator.load(story, { worker });
    const session = generator.createSession();
    const generation = session.generate(prompt, { temperature: 0, maxTokens: 300, draft: closed, promptLookup: false });
    const failure = failureOf(
      (async () => {
        for await (const _token of generation) closed.close();
      })(),
    );
    expect(await failure).toMatchObject({ code: 'CLOSED' });
    expect(await failureOf(session.generate(prompt, { draft: closed }).text())).toMatchObject({ code: 'CLOSED' });
    expect(session.length).toBe(0);
    session.close();
  });

  test('a model may be its own draft, and two each other’s', async () => {
    const options = { temperature: 0, maxTokens: 20, promptLookup: false };
    const texts = await Promise.all([
      generator.generate(prompt, options).text(),
      generator.generate(prompt, { ...options, draft: generator }).text(),
      generator.generate(prompt, { ...options, draft }).text(),
      draft.generate(prompt, { ...options, draft: generator }).text(),
      draft.generate(prompt, options).text(),
    ]);
    expect(texts.slice(0, 3)).toEqual([texts[0], texts[0], texts[0]]);
    expect(texts[3]).toBe(texts[4]);
  });
});
