// Impossible inputs are rejected with an error that gives the reason, and leave the generator unchanged.
import { capabilities, inspect, TextGenerator } from 'quintet';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { runCases, story, threads, tokensOf, withGenerator } from '../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { ambFile, ambParts } from './amb_parts.mjs';

const { path, ids, rows, tolerance } = runCases.find((candidate) => candidate.path === 'amb/llama-f32.amb');
const file = fixtureFile(path);
const parts = ambParts(file);
const { tensors } = await inspect(file);
const offsetOf = (name) => tensors.find((tensor) => tensor.name === name).offset;
const GB = 2 ** 30;

const expectUsable = async (generator) =>
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(file, { worker });
  });
  afterAll(() => generator.close());
  afterEach(() => expectUsable(generator));

  test.each([
    ['fractional', [1.5]],
    ['no number', [1, NaN]],
    ['negative', [1, -1]],
    ['beyond 32 bits', [2 ** 31]],
    ['beyond all bits', [2 ** 53]],
    ['a string', ['1']],
    ['null', [1, null]],
    ['a bigint', [1n]],
    ['an object without a prototype', [1, Object.create(null)]],
    ['missing', Array(2)],
    ['in a list of floats', Float32Array.of(1, 1.5)],
    ['the one behind the last', [1, 64]],
  ])('an id that is %s', async (__, wrong) => {
    const session = generator.createSession();
    const calls = [
      () => generator.logits(wrong),
      () => generator.perplexity(wrong),
      () => generator.generate(wrong).text(),
      () => session.generate(wrong).finished,
    ];
    for (const call of calls) {
      expect(await failureOf(call)).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
    }
    expect(session.length).toBe(0);
    session.close();
  });

  test.each([['1,2'], [{ length: 1, 0: 1 }], [null], [new DataView(new ArrayBuffer(4))]])('ids: %p', async (wrong) => {
    for (const method of ['logits', 'detokenize', 'tokenTexts']) {
      expect(await failureOf(generator[method](wrong))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
    }
  });

  test('no ids', async () => {
    const session = generator.createSession();
    const calls = [
      () => generator.logits([]),
      () => generator.perplexity([]),
      () => generator.generate([]).text(),
      () => session.generate([]).text(),
    ];
    for (const call of calls) {
      expect(await failureOf(call)).toMatchObject({ code: 'INPUT', reason: 'missing' });
    }
    session.close();
  });

  test('a prompt beyond the context fails before anything runs', () =>
    withGenerator(file, { worker, contextLength: 10 }, async (short) => {
      const session = short.createSession();
      await session.generate(ids.slice(0, 6), { temperature: 0, maxTokens: 1 }).finished;
      const held = [...session.tokens];
      const seen = [];
      const options = { onPrefill: (...counts) => seen.push(counts), logitsProcessor: () => seen.push('logits') };
      const generations = [
        () => short.generate(Array(11).fill(1), options),
        () => session.generate([1, 2, 3, 4], options),
      ];
      for (const generate of generations) {
        await expect(tokensOf(generate())).rejects.toMatchObject({ code: 'INPUT', reason: 'limit' });
      }
      expect(seen).toEqual([]);
      expect([...session.tokens]).toEqual(held);
      await expect(short.logits(Array(11).fill(1))).rejects.toMatchObject({ code: 'INPUT', reason: 'limit' });
      expect((await session.generate([1, 2], { maxTokens: 1 }).finished).promptTokens).toBe(2);
      session.close();
    }));

  test.each([[null], [5], ['fast']])('%p for options', async (wrong) => {
    const calls = [
      () => generator.generate([1], wrong).text(),
      () => generator.logits([1], wrong),
      () => generator.perplexity([1, 2], wrong),
    ];
    for (const call of calls) {
      expect(await failureOf(call)).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
    }
  });

  test.each([
    ['is not a number', (logits) => (logits[3] = NaN), 'out_of_range'],
    ['is infinite', (logits) => (logits[3] = Infinity), 'out_of_range'],
    ['is left', (logits) => logits.fill(-Infinity), 'out_of_range'],
    ['can be read any more', (logits) => structuredClone(logits, { transfer: [logits.buffer] }), 'used'],
  ])('a logitsProcessor after which a logit %s', async (__, logitsProcessor, reason) => {
    const tokens = [];
    const generation = generator.generate([1, 2], { logitsProcessor });
    const reading = (async () => {
      for await (const token of generation) tokens.push(token);
    })();
    expect(await failureOf(reading)).toMatchObject({ code: 'INPUT', reason });
    expect(tokens).toEqual([]);
  });
});

// The values among these that each option of `generate` accepts; all others are rejected.
const numbers = [NaN, Infinity, -Infinity, -1, -1e-9, 0, 0.5, 1, 1.5, 20, 21, 100, 1001, 2 ** 53];
const probes = [...numbers, '1', '', true, null, {}, []];
const taken = {
  maxTokens: [1, 20, 21, 100, 1001],
  temperature: [0, 0.5, 1, 1.5, 20, 21, 100],
  topK: [0, 1, 20, 21, 100, 1001],
  topP: [0.5, 1],
  minP: [0, 0.5, 1],
  repetitionPenalty: [0.5, 1, 1.5, 20, 21, 100],
  frequencyPenalty: [-1, -1e-9, 0, 0.5, 1, 1.5, 20, 21, 100],
  presencePenalty: [-1, -1e-9, 0, 0.5, 1, 1.5, 20, 21, 100],
  seed: [0, 1, 20, 21, 100, 1001],
  logprobs: [0, 1, 20],
  stop: 'an array',
  signal: [],
  logitsProcessor: [],
  onPrefill: [],
};
const takes = (name, value) => (name === 'stop' ? Array.isArray(value) : taken[name].includes(value));

test.each(Object.keys(taken))('option %s', (name) =>
  withGenerator(story, {}, async (generator) => {
    for (const value of probes) {
      const generation = generator.generate('One day', { temperature: 0, maxTokens: 2, [name]: value });
      if (takes(name, value)) {
        expect((await generation.finished).reason).toMatch(/length|eos|stop/);
      } else {
        const { code, reason, message } = await failureOf(generation.text());
        expect({ code, reason, value }).toEqual({ code: 'INPUT', reason: 'out_of_range', value });
        expect(message).toContain(`'${name}'`);
      }
    }
  }),
);

test('halves of characters are read as U+FFFD', () =>
  withGenerator(fixturePath('amb/mistral-window.amb'), {}, async (generator) => {
    const options = { chat: { template: 'mistral' }, maxTokens: 1 };
    const chat = (content) => generator.generate([{ role: 'user', content }], options);
    const [{ promptTokens }, other] = await Promise.all(['a\ud800', 'a\ufffd'].map((text) => chat(text).finished));
    expect(promptTokens).toBe(other.promptTokens);
    expect([...(await generator.tokenize('\ud83d'))]).toEqual([...(await generator.tokenize('\ufffd'))]);
    expect((await generator.generate('a', { stop: ['\udc00'], maxTokens: 2 }).finished).tokens).toBeGreaterThan(0);
  }));

describe.each([NaN, Infinity, -Infinity])('weights of %p', (value) => {
  const broken = file.slice();
  new DataView(broken.buffer).setFloat32(offsetOf('model.embed_tokens.weight') + (5 * 32 + 3) * 4, value, true);
  const model = ambFile(ambParts(broken));
  const expected = { code: 'FORMAT', reason: 'malformed', message: expect.stringMatching(/not finite.*weights/) };

  test.each(threads)('fail the texts that meet them, and no others: %s', (_, worker) =>
    withGenerator(model, { worker }, async (generator) => {
      const tokens = [];
      const generation = generator.generate([1, 5], { temperature: 0, maxTokens: 4 });
      const reading = (async () => {
        for await (const token of generation) tokens.push(token);
      })();
      expect(await failureOf(reading)).toMatchObject(expected);
      expect(tokens).toEqual([]);
      const calls = [
        () => generator.logits([1, 5, 2]),
        () => generator.logits([5, 2], { all: true }),
        () => generator.perplexity([1, 5, 2]),
      ];
      for (const call of calls) expect(await failureOf(call)).toMatchObject(expected);
      await withGenerator(file, {}, async (whole) => {
        expect(await generator.logits([1, 2])).toEqual(await whole.logits([1, 2]));
        const session = generator.createSession();
        await session.generate([1, 2, 3], { temperature: 0, maxTokens: 1 }).finished;
        const held = [...session.tokens];
        expect(await failureOf(session.generate([5]).text())).toMatchObject(expected);
        expect([...session.tokens]).toEqual(held);
        expect(await session.logits()).toEqual(await whole.logits(held));
        session.close();
      });
    }),
  );

  test.each(['int8', 'int4'])('are not made %s', async (quantize) => {
    const error = await failureOf(TextGenerator.load(model, { quantize }));
    expect(error).toMatchObject({ tensor: 'model.embed_tokens.weight' });
    expect(error.message).toContain('not finite');
  });
});

describe.each(threads)('loading %s', (_, worker) => {
  const loadFailure = (source, options = {}) => failureOf(TextGenerator.load(source, { ...options, worker }));

  test('a vocabulary that is not that of the matrices', async () => {
    const { config } = parts;
    const section = Buffer.from([1, 1, 0, 2, 0, 255, 255, 0, 0, 255, 255]);
    const tokenizer = Buffer.concat([section, fixtureFile('sentencepiece/tok512.model')]);
    const more = await loadFailure(ambFile({ ...parts, tokenizer }));
    expect(more).toMatchObject({ code: 'FORMAT', reason: 'mismatch', message: expect.stringMatching(/512.*64/) });
    for (const n_vocab of [63, 65]) {
      const other = await loadFailure(ambFile({ ...parts, config: { ...config, n_vocab } }));
      expect(other).toMatchObject({ code: 'FORMAT', reason: 'mismatch', tensor: 'model.embed_tokens.weight' });
    }
    await withGenerator(ambFile(parts), { worker }, expectUsable);
  });

  test('a context longer than the model has', async () => {
    const error = await loadFailure(file, { contextLength: 2049 });
    expect(error).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
    expect(error.message).toMatch(/2049.*2048/);
    for (const contextLength of [NaN, 1.5, -1, 2 ** 31, '5']) {
      expect((await loadFailure(file, { contextLength })).code).toBe('INPUT');
    }
  });

  const [needed, available] = [/needs (\d+) bytes/, /(\d+) are available/];
  const numberIn = (message, pattern) => Number(pattern.exec(message)[1]);
  const most = (capabilities().memory64 ? 16 : 4) * GB;

  test('a context too large for memory', async () => {
    const long = ambFile({ ...parts, config: { ...parts.config, max_seq_len: 2 ** 31 - 1 } });
    const { code, reason, message } = await loadFailure(long, { contextLength: 2 ** 31 - 1 });
    expect({ code, reason }).toEqual({ code: 'MEMORY', reason: 'out_of_memory' });
    // Keys and values of two layers, two heads of 8 each, in float32.
    expect(numberIn(message, needed)).toBeGreaterThanOrEqual(2 * 2 * 2 * 8 * 4 * (2 ** 31 - 1));
    expect(numberIn(message, available)).toBeLessThanOrEqual(most);
    await withGenerator(long, { worker, contextLength: 20 }, expectUsable);
  });

  test.each([true, false])('a model of 20 GB, its weights unread (file size known: %s)', async (isTold) => {
    const weightBytes = 20 * GB;
    const head = ambFile({ ...parts, weights: parts.weights.subarray(0, 64), weightBytes });
    const state = { given: 0, cancelled: false };
    const stream = new ReadableStream(
      {
        pull(controller) {
          const chunk = state.given === 0 ? head : new Uint8Array(1 << 16);
          state.given += chunk.length;
          controller.enqueue(chunk);
        },
        cancel: () => (state.cancelled = true),
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-length': String(head.length - 64 + weightBytes) };
    const { code, message } = await loadFailure(isTold ? new Response(stream, { headers }) : stream);
    expect(code).toBe('MEMORY');
    expect(numberIn(message, needed)).toBeGreaterThanOrEqual(weightBytes);
    expect(numberIn(message, available)).toBeLessThanOrEqual(most);
    expect(state.given).toBeLessThan(1 << 20);
    expect(state.cancelled).toBe(true);
  });

  test.each([
    ['alt/ref-tokenizer.alt', 'FORMAT', 'missing', 'no model'],
    ['tokenizers/phi-3/ggml-vocab-phi-3.gguf', 'FORMAT', 'missing', 'no model'],
    ['safetensors/dtypes.safetensors', 'INPUT', 'missing', 'config.json'],
    ['embd/f32.weights', 'UNSUPPORTED', 'unsupported', 'read by Embedder'],
    ['resnet/r50-vanilla.bin', 'UNSUPPORTED', 'unsupported', 'read by ImageClassifier'],
    ['sentencepiece/tok512.model', 'FORMAT', 'bad_magic', ''],
    ['malformed/noise.bin', 'FORMAT', 'bad_magic', ''],
    ['malformed/empty.bin', 'FORMAT', 'bad_magic', ''],
    ['images', 'INPUT', 'missing', 'config.json'],
  ])('%s, which holds no decoder', async (name, code, reason, said) => {
    const error = await loadFailure(fixturePath(name));
    expect(error).toMatchObject({ code, reason, message: expect.stringContaining(said) });
  });
});
