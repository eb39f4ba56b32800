// Numbers that callers give to templates: integers print as Python's int, at any size.
import { loadPhi3, render } from './chat_fixtures.mjs';

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
});
afterAll(() => tokenizer.close());

const of = (x, expression) => render(tokenizer, `{{ ${expression} }}`, { x });

// The expected text is Python's for int(x), or for the float if JSON.stringify writes an exponent.
test.each([
  [1, '1'],
  [1.0, '1'],
  [-0, '0'],
  [2 ** 53 - 1, '9007199254740991'],
  [2 ** 53, '9007199254740992'],
  [-(2 ** 53), '-9007199254740992'],
  [1e16, '10000000000000000'],
  [123456789012345680, '123456789012345680'],
  [-(2 ** 63), '-9223372036854775808'],
  [2 ** 64, '18446744073709551616'],
  [1e20, '100000000000000000000'],
  [9007199254740993n, '9007199254740993'],
  [18446744073709551615n, '18446744073709551615'],
  [10n ** 30n, '1000000000000000000000000000000'],
])('%s is an integer', (x, printed) => {
  const template =
    "{{ x }} {{ x | tojson }} {{ x ~ '' }} {{ [x] }} {{ {'x': x} | tojson }} {{ x | string }} {{ '%s %d' % (x, x) }} {{ '{} {:d}'.format(x, x) }} {{ x is integer }} {{ x is float }}";
  expect(render(tokenizer, template, { x })).toBe(
    `${printed} ${printed} ${printed} [${printed}] {"x": ${printed}} ${printed} ${printed} ${printed} ${printed} ${printed} True False`,
  );
});

test.each([
  [1.5, '1.5', '1.5'],
  [1e21, '1e+21', '1e+21'],
  [-1e22, '-1e+22', '-1e+22'],
  [1e300, '1e+300', '1e+300'],
  [1e-7, '1e-07', '1e-07'],
  [NaN, 'nan', 'NaN'],
  [Infinity, 'inf', 'Infinity'],
  [-Infinity, '-inf', '-Infinity'],
])('%s is a float', (x, printed, json) => {
  expect(render(tokenizer, "{{ x }} {{ x | tojson }} {{ x ~ '' }} {{ x is integer }} {{ x is float }}", { x })).toBe(
    `${printed} ${json} ${printed} False True`,
  );
});

test('arithmetic with large integers is exact', () => {
  expect(of(2 ** 53, 'x + 1')).toBe('9007199254740993');
  expect(of(2 ** 62, 'x * 4 - 1')).toBe('18446744073709551615');
  expect(
    of(
      2 ** 53,
      "[x + 1 == x, x + 1 > x, x == 9007199254740992.0, x + 1 == 9007199254740992.0, {9007199254740992.0: 'a'}[x]]",
    ),
  ).toBe("[False, True, True, False, 'a']");
  expect(of(10 ** 16, '[x // 3, x % 7, x is even, x is divisibleby(16), -x, x | abs, x / 4, x | int, x | float]')).toBe(
    '[3333333333333333, 4, True, True, -10000000000000000, 10000000000000000, 2500000000000000.0, 10000000000000000, 1e+16]',
  );
});

test('everywhere: in schemas of tools, calls and messages', () => {
  const text = (messages, template, options) =>
    tokenizer.applyChatTemplate(messages, { template, addGenerationPrompt: false, ...options }).text;
  const schema = { type: 'integer', minimum: -(2 ** 63), maximum: 18446744073709551615n, default: 2 ** 53 };
  const written =
    '{"type": "integer", "minimum": -9223372036854775808, "maximum": 18446744073709551615, "default": 9007199254740992}';
  expect(
    text([], '{{ tools[0].function.parameters.properties.n | tojson }}', {
      tools: [{ name: 'f', parameters: { type: 'object', properties: { n: schema } } }],
    }),
  ).toBe(written);
  expect(text([], '{{ tools[0].schema | tojson }}', { tools: [{ type: 'own', schema }] })).toBe(written);
  expect(
    text(
      [{ role: 'assistant', toolCalls: [{ name: 'f', arguments: schema }] }],
      '{{ messages[0].tool_calls[0].function.arguments | tojson }}',
    ),
  ).toBe(written);
  expect(text([{ role: 'user', content: 'x', schema }], '{{ messages[0].schema | tojson }}')).toBe(written);
});
