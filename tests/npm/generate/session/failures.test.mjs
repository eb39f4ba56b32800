// After a generation that fails, a session is as it was before: its properties, its logits, its next text, its saved
// cache, its forks.
import { TextGenerator } from 'quintet';
import { distance } from '../../helpers/expectations.mjs';
import { idsOf, story, threads } from '../../helpers/generator_fixtures.mjs';
import { fixturePath } from '../../helpers/model_fixtures.mjs';

const fails = () => {
  throw new Error('mine');
};

/** Chooses tokens that end no text, and throws instead of choosing the one with this number, from 1 on. */
const failsAt = (last) => {
  let number = 0;
  return (logits) => {
    number += 1;
    if (number === last) fails();
    logits[30] = 1e3;
  };
};

/** Options by what goes wrong, and the error. */
const failures = {
  'logitsProcessor throws at the first token': [() => ({ logitsProcessor: fails }), 'mine'],
  'logitsProcessor throws at the second token': [() => ({ logitsProcessor: failsAt(2) }), 'mine'],
  'logitsProcessor throws at the last token': [() => ({ logitsProcessor: failsAt(6) }), 'mine'],
  'logitsProcessor writes NaN': [
    () => ({ logitsProcessor: (logits) => logits.fill(NaN, 5, 6) }),
    'token 5 is not a number',
  ],
  'logitsProcessor forbids every token': [
    () => ({ logitsProcessor: (logits) => logits.fill(-Infinity) }),
    'leave no token to choose',
  ],
  'logitsProcessor keeps the logits': [
    () => ({ logitsProcessor: (logits) => structuredClone(logits, { transfer: [logits.buffer] }) }),
    'in place',
  ],
  'onPrefill throws at the beginning': [() => ({ onPrefill: fails }), 'mine'],
  'onPrefill throws at the end': [() => ({ onPrefill: (done, total) => done === total && fails() }), 'mine'],
  'onPrefill aborts and throws': [
    () => {
      const controller = new AbortController();
      const onPrefill = (done, total) => {
        if (done < total) return;
        controller.abort();
        fails();
      };
      return { signal: controller.signal, onPrefill };
    },
    'mine',
  ],
  'the bias is of no token': [() => ({ logitBias: { 1e6: 1 } }), 'logitBias: token 1000000'],
  'the grammar has no token': [
    (size) => ({
      grammar: 'root ::= "a"',
      logitBias: Object.fromEntries(Array.from({ length: size }, (_, id) => [id, -Infinity])),
    }),
    'leave no token to choose',
  ],
  'the prompt is too long': [() => ({}), 'do not fit the context', (context) => Array(context).fill(5)],
};

/**
 * Models: one that keeps all positions, one with a sliding window, one with short convolutions, which cannot be saved.
 */
const models = [
  ['the story model', story, 'chatml'],
  ['a sliding window', fixturePath('amb/mistral-window.amb'), 'mistral'],
  ['short convolutions', fixturePath('families/lfm2.gguf'), 'chatml'],
];

const greedy = { temperature: 0, maxTokens: 6 };
const sampled = { temperature: 1, maxTokens: 6 };
const held = Array.from({ length: 40 }, (_, i) => 20 + ((i * 7) % 30));
const added = [31, 22, 43, 24];

const readers = [
  ['tokens', (generation) => idsOf(generation)],
  ['the text', (generation) => generation.text()],
];

describe.each(threads)('%s', (_, worker) => {
  describe.each(models)('%s', (name, path, template) => {
    let generator;
    let saves;
    beforeAll(async () => {
      generator = await TextGenerator.load(path, { worker, threads: 1 });
      saves = name !== 'short convolutions';
    });
    afterAll(() => generator.close());

    /**
     * A session with a prompt and an answer, which was saved and loaded, so that it has a state of random numbers too.
     */
    async function begun() {
      const session = generator.createSession();
      await session.generate(held, { ...sampled, seed: 5 }).finished;
      if (saves) await session.loadCache(await session.saveCache({ sampler: true }), { sampler: true });
      return session;
    }

    const stateOf = async (session) => ({
      tokens: [...session.tokens],
      cache: saves && Buffer.from(await session.saveCache({ sampler: true })).toString('base64'),
    });

    async function expectUnchanged(session, before, next) {
      expect(session.length).toBe(before.tokens.length);
      expect(await stateOf(session)).toEqual(before);
      expect(distance(await session.logits(), await generator.logits(before.tokens))).toBeLessThan(1e-3);
      const fork = session.fork();
      expect([...fork.tokens]).toEqual(before.tokens);
      expect(await idsOf(fork.generate([33], greedy))).toEqual(next);
      fork.rewind(30);
      expect(distance(await fork.logits(), await generator.logits(before.tokens.slice(0, 30)))).toBeLessThan(1e-3);
      fork.close();
    }

    describe.each(readers)('read as %s', (__, read) => {
      test.each(Object.entries(failures))('%s', async (___, [optionsOf, expected, promptOf]) => {
        const session = await begun();
        const before = await stateOf(session);
        const copy = session.fork();
        const next = await idsOf(copy.generate([33], greedy));
        copy.close();
        const messages = [{ role: 'user', content: 'The cat' }];
        const prompts = promptOf ? [promptOf(generator.contextLength)] : [added, [], messages];
        for (const prompt of prompts) {
          const options = {
            ...greedy,
            ...(prompt === messages && { chat: { template } }),
            ...optionsOf(generator.info.tokenizer.size),
          };
          await expect(read(session.generate(prompt, options))).rejects.toThrow(expected);
          await expectUnchanged(session, before, next);
        }
        if (saves) {
          // The random numbers continue where the saved ones were.
          const loaded = generator.createSession();
          await loaded.loadCache(Buffer.from(before.cache, 'base64'), { sampler: true });
          expect(await idsOf(session.generate([], sampled))).toEqual(await idsOf(loaded.generate([], sampled)));
          loaded.close();
        }
        session.close();
      });
    });

    test('a conversation that is left early holds what was read', async () => {
      const session = await begun();
      const taken = [];
      const messages = [{ role: 'user', content: 'The cat' }];
      const conversation = session.generate(messages, { temperature: 0, maxTokens: 100, chat: { template } });
      for await (const { id } of conversation) if (taken.push(id) === 3) break;
      const { ids } = await generator.applyChatTemplate(messages, { template });
      expect([...session.tokens]).toEqual([...ids, ...taken]);
      expect(distance(await session.logits(), await generator.logits([...ids, ...taken]))).toBeLessThan(1e-3);
      session.close();
    });

    test('an aborted prompt leaves no trace, in a conversation either', async () => {
      const session = await begun();
      const before = await stateOf(session);
      const content = 'The cat';
      for (const [prompt, chat] of [
        [content, {}],
        [[{ role: 'user', content }], { chat: { template } }],
      ]) {
        const controller = new AbortController();
        const onPrefill = () => controller.abort();
        await session.generate(prompt, { ...greedy, ...chat, signal: controller.signal, onPrefill }).finished;
        // In a worker, a short prompt may be complete before it hears of that.
        if (!worker || session.length === before.tokens.length) expect(await stateOf(session)).toEqual(before);
        expect(distance(await session.logits(), await generator.logits([...session.tokens]))).toBeLessThan(1e-3);
        session.rewind(0);
        await session.generate(held, { ...sampled, seed: 5 }).finished;
        if (saves) await session.loadCache(Buffer.from(before.cache, 'base64'), { sampler: true });
      }
      session.close();
    });

    test('calls after an aborted one wait until it has ended', async () => {
      const session = await begun();
      // The last token is still to be computed, which first gives way to other events, as the last time was long ago.
      await session.generate(added, greedy).finished;
      for (const start = performance.now(); performance.now() - start < 10; );
      const controller = new AbortController();
      const scoring = session.perplexity([21, 22], { signal: controller.signal }).catch(({ code }) => code);
      for (let turns = 0; turns < 30; ++turns) await undefined;
      controller.abort();
      expect(await scoring).toBe('ABORTED');
      const fork = session.fork();
      session.rewind(30);
      expect(session.length).toBe(30);
      expect(distance(await session.logits(), await generator.logits([...session.tokens]))).toBeLessThan(1e-3);
      expect(distance(await fork.logits(), await generator.logits([...fork.tokens]))).toBeLessThan(1e-3);
      session.close();
      fork.close();
    });
  });
});
