// Patterns of JSON schemas, as JavaScript's regular expressions see them. PATTERNS=5000 is the number of random ones.
import fc from 'fast-check';
import { compileGrammar } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';

const patterns = Number(process.env.PATTERNS ?? 200);

/** All texts of up to four of these characters, and some others. */
const texts = [''];
for (let i = 0; texts[i].length < 4; i++) texts.push(...['a', 'b', 'c'].map((character) => texts[i] + character));
texts.push('é', 'ab\n', 'a b', '"', '\\', '\u2028');

const { choice } = fc.letrec((tie) => {
  const group = (begin) => tie('choice').map((inner) => `(${begin}${inner})`);
  const repetition = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,3}', '*?');
  const repeated = (item) => fc.tuple(item, repetition).map((both) => both.join(''));
  const one = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '[^]');
  const item = fc.oneof(
    { depthSize: 'small' },
    repeated(one),
    repeated(one),
    repeated(one),
    repeated(group('')),
    repeated(group('?:')),
    group('?='),
    group('?!'),
    fc.constantFrom('$', '$', '^'),
  );
  const sequence = fc.array(item, { maxLength: 3 }).map((items) => items.join(''));
  return { choice: fc.array(sequence, { minLength: 1, maxLength: 3 }).map((each) => each.join('|')) };
});
const pattern = fc.tuple(fc.constantFrom('^', ''), choice, fc.constantFrom('$', '')).map((parts) => parts.join(''));
const lengths = fc.option(
  fc.tuple(fc.nat(2), fc.nat(3)).map(([minLength, more]) => ({ minLength, maxLength: minLength + more })),
  { nil: {} },
);

test(
  `${patterns} random patterns, alone and in twos, match what RegExp matches`,
  async () => {
    let compared = 0;
    const property = fc.asyncProperty(
      fc.array(pattern, { minLength: 1, maxLength: 2 }),
      lengths,
      async (all, bounds) => {
        const expected = texts.filter(
          (text) =>
            all.every((each) => new RegExp(each, 'u').test(text)) &&
            text.length >= (bounds.minLength ?? 0) &&
            text.length <= (bounds.maxLength ?? 9),
        );
        let grammar;
        try {
          grammar = await compileGrammar({
            jsonSchema: { type: 'string', allOf: all.map((each) => ({ pattern: each })), ...bounds },
          });
        } catch (error) {
          expect(error.message).toMatch(/no value validates|may be at the beginning or not|states/);
          if (error.message.includes('no value')) expect(expected).toEqual([]);
          return;
        }
        expect(texts.filter((text) => grammar.accepts(JSON.stringify(text)))).toEqual(expected);
        grammar.close();
        compared++;
      },
    );
    await fc.assert(property, { numRuns: patterns, seed: 20261127 });
    expect(compared).toBeGreaterThan(patterns / 3);
  },
  patterns * 200,
);

test('numbers are exact multiples', async () => {
  const accepted = async (jsonSchema, numbers) => {
    const grammar = await compileGrammar({ jsonSchema });
    const found = numbers.filter((each) => grammar.accepts(each));
    grammar.close();
    return found;
  };
  const whole = Array.from({ length: 4001 }, (_, i) => `${i - 2000}`);
  for (const divisor of [2, 3, 7, 12, 25, 60, 100, 365, 1000]) {
    expect(await accepted({ type: 'integer', multipleOf: divisor, minimum: -1500 }, whole)).toEqual(
      whole.filter((each) => Number(each) % divisor === 0 && Number(each) >= -1500),
    );
  }
  expect(
    await accepted({ type: 'integer', multipleOf: 86400 }, ['0', '86400', '86401', '31536000', '-172800', '100']),
  ).toEqual(['0', '86400', '31536000', '-172800']);
  expect(await accepted({ multipleOf: 4, allOf: [{ multipleOf: 6 }] }, ['4', '6', '12', '24', '-36'])).toEqual([
    '12',
    '24',
    '-36',
  ]);
  // In thousandths, where integers say what is a multiple.
  const thousandths = Array.from({ length: 6001 }, (_, i) => i - 3000);
  for (const divisor of [0.5, 0.25, 0.01, 0.05, 1.5]) {
    const expected = thousandths
      .filter((each) => each % Math.round(divisor * 1000) === 0 && each >= -2000)
      .map((each) => `${each / 1000}`);
    expect(
      await accepted(
        { type: 'number', multipleOf: divisor, minimum: -2 },
        thousandths.map((each) => `${each / 1000}`),
      ),
    ).toEqual(expected);
  }
});

test('long repetitions are shortened if they would need too many states', async () => {
  const hostname = '^(?=.{1,253}$)([a-z](?:[a-z-]{0,61}[a-z])?\\.)+[a-z]{2,63}$';
  const grammar = await compileGrammar({ jsonSchema: { pattern: hostname } });
  for (const [name, is] of [
    ['example.com', true],
    ['a-b.example.co', true],
    ['a..com', false],
    ['-a.com', false],
    ['a-.com', false],
    [`${'a'.repeat(300)}.com`, false],
  ]) {
    expect([name, grammar.accepts(JSON.stringify(name))]).toEqual([name, is]);
  }
  grammar.close();
});

test('hostile patterns take bounded time', async () => {
  const tooLarge = [
    '^(?=.*a.{12}b)(?=.*c.{12}d)',
    `${'(?=(?:a|b)*c)'.repeat(20)}(?!${'(?:x|y|[a-z])*'.repeat(20)}z)`,
    `^(?=${'(?:a{1,900}b){1,900}'.repeat(3)})(?:c|.{1,900}){1,900}$`,
  ];
  for (const hostile of tooLarge) {
    expect(await failureOf(compileGrammar({ jsonSchema: { pattern: hostile } }))).toMatchObject({
      code: 'INPUT',
      reason: 'limit',
      message: expect.stringContaining('states at #'),
    });
  }
  const many = { allOf: Array.from({ length: 200 }, (_, i) => ({ pattern: `a${i}` })) };
  expect(await failureOf(compileGrammar({ jsonSchema: many }))).toMatchObject({ code: 'INPUT', reason: 'limit' });
  expect(await failureOf(compileGrammar({ jsonSchema: { multipleOf: 123457 } }))).toMatchObject({
    code: 'INPUT',
    reason: 'limit',
    message: expect.stringContaining('multipleOf 123457'),
  });
});
