// Grammars by themselves, and texts that are kept to them.
import { compileGrammar, TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { argmax, idsOf, story, threads, tokensOf } from '../helpers/generator_fixtures.mjs';
import { tinyGenerator } from '../helpers/models/tiny_generator.mjs';

const list =
  'root ::= "[" (item ("," " "? item){0,2})? "]"\nitem ::= "[" item? "]" | "0" | [1-9] [0-9]{0,2} | "\\"" [a-zé]{0,5} "\\""';
const isList = (text) => Array.isArray(JSON.parse(text));

describe('compileGrammar', () => {
  test('matches whole texts', async () => {
    const grammar = await compileGrammar({ gbnf: list });
    expect(grammar.gbnf).toBe(list);
    for (const text of ['[]', '[1,"é", [[]]]']) expect([text, grammar.accepts(text)]).toEqual([text, true]);
    for (const text of ['', '[', '[1,]', '[1234]', '["É"]', ' []'])
      expect([text, grammar.accepts(text)]).toEqual([text, false]);
    grammar.close();
    grammar.close();
    expect(() => grammar.accepts('[]')).toThrow(expect.objectContaining({ name: 'QuintetError', code: 'CLOSED' }));
  });

  test('errors state what is wrong and where', async () => {
    const failure = await failureOf(compileGrammar({ gbnf: 'root ::= "a" ("b" | ]' }));
    expect(failure).toMatchObject({
      code: 'INPUT',
      reason: 'malformed',
      offset: 20,
      message: expect.stringContaining('expected )'),
    });
    expect(await failureOf(compileGrammar({ gbnf: 'root ::= root "a" | "b"' }))).toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining('left recursion'),
    });
    for (const source of [
      undefined,
      'root ::= "a"',
      {},
      { gbnf: 1 },
      { gbnf: list, jsonSchema: true },
      { jsonSchema: false },
    ]) {
      expect(await failureOf(compileGrammar(source))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
    }
  });

  test('a schema is a grammar, too', async () => {
    const grammar = await compileGrammar({ jsonSchema: { type: 'array', items: { type: 'integer', minimum: 10 } } });
    expect(grammar.accepts('[10, 200]')).toBe(true);
    expect(grammar.accepts('[9]')).toBe(false);
    const again = await compileGrammar({ gbnf: grammar.gbnf });
    expect(again.accepts('[10, 200]')).toBe(true);
    const failure = await failureOf(compileGrammar({ jsonSchema: { properties: { a: { items: { if: {} } } } } }));
    expect(failure).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('if at #/properties/a/items'),
    });
    [grammar, again].forEach((each) => each.close());
  });

  test('lone surrogates and cycles do no harm', async () => {
    const cyclic = {};
    cyclic.properties = cyclic;
    expect(await failureOf(compileGrammar({ jsonSchema: cyclic }))).toMatchObject({ code: 'INPUT' });
    const grammar = await compileGrammar({ gbnf: 'root ::= "\ud800"' });
    expect(grammar.accepts('\ufffd')).toBe(true);
    grammar.close();
  });
});

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
  });
  afterAll(() => generator.close());
  const finish = async (generation) => [await generation.text(), (await generation.finished).reason];

  test('the text matches, at every temperature', async () => {
    const grammar = await compileGrammar({ gbnf: list });
    const texts = new Set();
    for (let seed = 0; seed < 30; seed++) {
      const options = { grammar: seed % 2 ? grammar : list, temperature: (seed % 4) * 0.7, seed, maxTokens: 60 };
      const [text, reason] = await finish(generator.generate('Once', options));
      if (reason === 'length') continue;
      expect(reason).toBe('eos');
      expect(grammar.accepts(text)).toBe(true);
      expect(isList(text)).toBe(true);
      texts.add(text);
    }
    expect(texts.size).toBeGreaterThan(5);
    grammar.close();
  });

  test('the same seed gives the same text; the most probable token is the best that is allowed', async () => {
    const options = { grammar: 'root ::= [b-d]+ "."', seed: 7, maxTokens: 20 };
    const [first, again] = [
      await finish(generator.generate('One', options)),
      await finish(generator.generate('One', options)),
    ];
    expect(again).toEqual(first);
    const ids = [...(await generator.tokenize('One day'))];
    const [best] = await idsOf(
      generator.generate(ids, { grammar: 'root ::= " " [n-z]+', temperature: 0, maxTokens: 1 }),
    );
    const logits = await generator.logits(ids);
    const texts = await Promise.all(Array.from(logits, (_, id) => generator.detokenize([ids[1], id])));
    const before = await generator.detokenize([ids[1]]);
    const allowed = texts.map((text) => /^ [n-z]*$/.test(text.slice(before.length)) && text.length > before.length);
    expect(best).toBe(argmax(Array.from(logits, (logit, id) => (allowed[id] ? logit : -Infinity))));
  });

  test('a text of one form needs no choice, and ends by itself', async () => {
    const said = 'Yes — é, 日本 👍!';
    const generation = generator.generate('Is it?', { grammar: `root ::= "${said}"`, temperature: 2, logprobs: 1 });
    const tokens = await tokensOf(generation);
    expect(tokens.map(({ text }) => text).join('')).toBe(said);
    expect(tokens.every(({ id, logprob }) => id < 0 || logprob <= 0)).toBe(true);
    expect((await generation.finished).reason).toBe('eos');
  });

  test('nothing precedes the text: the space that the tokenizer omits is not counted', async () => {
    const session = generator.createSession();
    const bos = (await generator.tokenize('')).slice(0, 1);
    expect(await session.generate([...bos], { grammar: 'root ::= "The end"' }).text()).toBe('The end');
    const fork = session.fork();
    expect(await fork.generate('', { grammar: 'root ::= " of" [a-z ]+ "."', seed: 1, maxTokens: 9 }).text()).toMatch(
      /^ of[a-z ]+\.?$/,
    );
    session.rewind(bos.length);
    expect(await session.generate('', { grammar: 'root ::= "Tom"' }).text()).toBe('Tom');
    [session, fork].forEach((each) => each.close());
  });

  test('stop texts and the limit end it as usual', async () => {
    const grammar = 'root ::= "a" "b" "c" "d"+';
    expect(await finish(generator.generate('x', { grammar, stop: ['c'] }))).toEqual(['ab', 'stop']);
    expect(await finish(generator.generate('x', { grammar, maxTokens: 2 }))).toEqual(['ab', 'length']);
    const aborted = new AbortController();
    const generation = generator.generate('x', { grammar: 'root ::= "d"+', signal: aborted.signal, maxTokens: 10000 });
    for await (const { text } of generation) if (text) aborted.abort();
    expect((await generation.finished).reason).toBe('abort');
  });

  test('a logitsProcessor runs before it, and cannot break it', async () => {
    const [x] = (await generator.tokenize('x')).slice(-1);
    const logitsProcessor = (logits) => logits.fill(0).fill(50, x, x + 1);
    const options = { grammar: 'root ::= "y" [xz]{3}', logitsProcessor, temperature: 0 };
    expect(await generator.generate('Once', options).text()).toMatch(/^y[xz]{3}$/);
    const forbid = (logits) => logits.fill(-Infinity);
    expect(await failureOf(generator.generate('Once', { ...options, logitsProcessor: forbid }).text())).toMatchObject({
      code: 'INPUT',
    });
    expect(await generator.generate('Once', { grammar: 'root ::= "ok"' }).text()).toBe('ok');
  });

  test('biases are added to logits', async () => {
    const prompt = [...(await generator.tokenize('Once upon a'))];
    const logits = await generator.logits(prompt);
    const best = argmax(logits);
    const [second] = await idsOf(
      generator.generate(prompt, { temperature: 0, maxTokens: 1, logitBias: { [best]: -Infinity } }),
    );
    expect(second).toBe(argmax(Array.from(logits, (logit, id) => (id === best ? -Infinity : logit))));
    const enough = Math.max(...logits) - logits[7];
    for (const [bias, expected] of [
      [enough + 0.01, 7],
      [enough - 0.01, best],
    ]) {
      expect(await idsOf(generator.generate(prompt, { temperature: 0, maxTokens: 1, logitBias: { 7: bias } }))).toEqual(
        [expected],
      );
    }
    const options = {
      grammar: 'root ::= "a" | "b"',
      logitBias: Object.fromEntries(Array.from(await generator.tokenize('a'), (id) => [id, -Infinity])),
    };
    for (let seed = 0; seed < 5; seed++)
      expect(await generator.generate('x', { ...options, seed }).text()).not.toBe('');
  });

  test('invalid ones are errors, and the generator stays usable', async () => {
    const cases = [
      [{ grammar: 'root = "a"' }, 'INPUT', /expected ::=/],
      [{ grammar: list, jsonSchema: true }, 'INPUT', /one of the options/],
      [{ grammar: 5 }, 'INPUT', /grammar/],
      [{ jsonSchema: 'x' }, 'INPUT', /jsonSchema/],
      [{ jsonSchema: { contains: {} } }, 'UNSUPPORTED', /contains at #/],
      [{ logitBias: { 5: Infinity } }, 'INPUT', /logitBias/],
      [{ logitBias: { five: 1 } }, 'INPUT', /logitBias/],
      [{ logitBias: { 512: 1 } }, 'INPUT', /token 512/],
    ];
    for (const [options, code, message] of cases) {
      expect(await failureOf(generator.generate('x', options).text())).toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
    }
    expect(await generator.generate('x', { grammar: 'root ::= "ok"' }).text()).toBe('ok');
  });
});

test('a model without a tokenizer cannot follow a grammar', async () => {
  const generator = await TextGenerator.load(await tinyGenerator(32, {}));
  expect(await failureOf(generator.generate([1], { grammar: list }).text())).toMatchObject({ code: 'UNSUPPORTED' });
  generator.close();
});
