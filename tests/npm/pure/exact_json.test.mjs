// JSON with integers beyond 2^53: JSON.parse is right about everything else.
import fc from 'fast-check';
import { importSource } from '../helpers/source.mjs';

const { parseExactly } = await importSource('base/exact_json.ts');

/** Numbers that JSON.parse reads exactly, and integers that it does not. */
const small = fc
  .double({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1, noNaN: true })
  .filter((number) => !Object.is(number, -0));
const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }).chain((integer) => fc.constantFrom(integer, -integer));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    small,
    large,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

function jsonOf(value) {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(' , ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${jsonOf(each)}`)
    .join(',\n')}}`;
}

test('any value survives the round trip', () => {
  fc.assert(fc.property(values, (value) => expect(parseExactly(jsonOf(value))).toEqual(value)));
});

test.each(['', '{', '[1,]', '01', '+1', '1.', '.5', "'a'", '{a: 1}', 'NaN', '"\n"', '"\\x41"', '1 2', '[1}', 'nul'])(
  '%j is refused, as JSON.parse does',
  (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  },
);
