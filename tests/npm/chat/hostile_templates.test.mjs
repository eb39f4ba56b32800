// Templates from anywhere: each ends soon with a text or one clear error.
import fc from 'fast-check';
import { failureOf } from '../helpers/expectations.mjs';
import { json, loadPhi3, modelTemplates } from './chat_fixtures.mjs';

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
});
afterAll(() => tokenizer.close());

const messages = [
  { role: 'user', content: 'a <|end|> b' },
  { role: 'assistant', content: 'c', toolCalls: [{ name: 'f', arguments: { x: [1, { y: null }] } }] },
];
const format = (template) => tokenizer.applyChatTemplate(messages, { template });

const deep = (open, inside, close, times = 20_000) => open.repeat(times) + inside + close.repeat(times);
const hostile = {
  'an endless recursion': '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  'two that call each other': '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}',
  'loops in loops': '{% for a in range(10000) %}{% for b in range(10000) %}{{ b }}{% endfor %}{% endfor %}',
  'a text that doubles':
    "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
  'a text repeated': "{{ 'a' * 10 ** 12 }}",
  'a list repeated': '{{ [1] * 10 ** 12 }}',
  'a list that doubles':
    '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}',
  'a large power': '{{ 10 ** (10 ** 10) }}',
  'powers of powers': '{% set ns = namespace(x=10) %}{% for i in range(60) %}{% set ns.x = ns.x * ns.x %}{% endfor %}',
  'a long range': '{{ range(10 ** 15) | list }}',
  'a wide column': "{{ 'a'.center(10 ** 12) }}",
  'a wide indent': "{{ 'a\\nb' | indent(10 ** 12) }}",
  'a wide format': "{{ '%1000000000000d' % 1 }}",
  'a wide field': "{{ '{:1000000000000}'.format(1) }}",
  'zeros without end': "{{ '1'.zfill(10 ** 12) }}",
  'tabs without end': "{{ '\\t'.expandtabs(10 ** 12) }}",
  'many slices': '{{ [1] | slice(10 ** 12) | list }}',
  'filled batches': "{{ [1] | batch(10 ** 12, 'x') | list }}",
  'an indented JSON': '{{ [[1]] | tojson(indent=10 ** 12) }}',
  'nested brackets': `{{ ${deep('[', '1', ']')} }}`,
  'nested parentheses': `{{ ${deep('(', '1', ')')} }}`,
  'nested nots': `{{ ${'not '.repeat(50_000)}true }}`,
  'nested minuses': `{{ ${'- '.repeat(50_000)}1 }}`,
  'nested blocks': deep('{% if true %}', 'x', '{% endif %}'),
  'a long sum': `{{ 1${' + 1'.repeat(50_000)} }}`,
  'a long chain of filters': `{{ 'a'${' | upper'.repeat(50_000)} }}`,
  'a long chain of attributes': `{{ a${'.b'.repeat(50_000)} }}`,
  'a list in a list in a list':
    '{% set ns = namespace(x=[]) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}',
  'a deep list as JSON':
    '{% set ns = namespace(x=[]) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson }}',
  'deep lists compared':
    '{% set ns = namespace(x=[], y=[]) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}{% set ns.y = [ns.y] %}{% endfor %}{{ ns.x == ns.y }}',
  'a text that doubles, of messages and template':
    "{% set ns = namespace(x=messages[0].content ~ 'b') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
  'texts that are kept':
    "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = ns.x + [('é' * 8000000 ~ i) | upper] %}{% endfor %}",
  'a long text joined and read again and again':
    "{% set s = 'a' * 8000000 %}{% for i in range(100000) %}{% if (s ~ i) == (s ~ i ~ 1)[:-1] and s[i] == 'b' %}{% endif %}{% endfor %}",
  'a long text sought in a longer one':
    "{% set s = 'a' * 16000000 %}{% set t = 'b' ~ 'a' * 100000 %}{% for i in range(100000) %}{{ t in s }}{% endfor %}",
  'splits without end': "{{ ('a ' * 8000000).rsplit(' ') | length }}",
  'words without end': "{{ ('a ' * 8000000).split() | length }}",
  'lines without end': "{{ ('a\n' * 8000000).splitlines() | length }}",
  'a set of characters to strip':
    "{% set s = 'a' * 16000000 %}{% for i in range(100000) %}{{ 'x'.strip(s) }}{% endfor %}",
  'dates without end': "{{ strftime_now('%c' * 8000000) }}",
  'tuples in tuples as a key':
    '{% set ns = namespace(t=(1,)) %}{% for i in range(60) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ {ns.t: 1} }}',
  'filters of long lists':
    "{% set l = range(100000) | list %}{% for i in range(100000) %}{% set x = l | map(attribute='x') %}{% endfor %}",
  'copies of long dicts':
    '{% set d = {}.fromkeys(range(100000)) %}{% for i in range(100000) %}{% set x = d.items() %}{% endfor %}',
  'macros that are defined again and again': `{% for i in range(100000) %}{% macro m() %}${'{{ a }}'.repeat(20_000)}{% endmacro %}{{ x.y }}{% endfor %}`,
  'large integers printed':
    '{% set x = 10 ** 3700 %}{% for i in range(100000) %}{% for j in range(100) %}{% set y = x | string %}{% endfor %}{% endfor %}',
  'a number of no size': "{{ '%d' % ('nan' | float) }}",
  'an unclosed comment': `{# ${'{# '.repeat(50_000)}`,
  'an unclosed string': `{{ '${'a'.repeat(100_000)} }}`,
  prototypes: '{{ messages.constructor.constructor("return 1")() }}',
  'a prototype as a filter': '{{ 1 | constructor }}',
  'a prototype as a test': '{{ 1 is hasOwnProperty }}',
  'Python without a sandbox': "{{ ''.__class__.__mro__[1].__subclasses__() }}",
};

test.each(Object.entries(hostile))('%s', async (_, template) => {
  const error = await failureOf(async () => format(template));
  expect([error.name, error.code]).toEqual(['QuintetError', 'INPUT']);
  expect(error.message.length).toBeLessThan(400);
  expect(format('ok{{ 1 }}').text).toBe('ok1');
});

// In time that grows with the length: each takes minutes if it grows with the square. The lengths are as Jinja2 has
// them.
test.each([
  ["{{ ('-' * 300000) | wordwrap | length }}", '303797'],
  ["{{ ('1' * 1000000 ~ 'x') | float }}", '0.0'],
  ["{{ ('<!--' * 300000) | striptags | length }}", '1200000'],
  ["{{ ('<' * 1000000) | striptags | length }}", '1000000'],
  ["{{ ('a' * 300000) | wordwrap(10) | length }}", '329999'],
])('%s', (template, text) => {
  expect(format(template).text).toBe(text);
});

/** A text, or the error that callers expect. */
function outcome(template) {
  try {
    expect(typeof format(template).text).toBe('string');
  } catch (error) {
    if (error?.name !== 'QuintetError' || error.code !== 'INPUT') throw error;
  }
}

test('random expressions', () => {
  const { expression } = fc.letrec((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      tie('binary'),
      tie('unary'),
      tie('filtered'),
      tie('tested'),
      tie('called'),
      tie('indexed'),
      tie('choice'),
    ),
    leaf: fc.constantFrom(
      '1',
      '2.5',
      "'ab'",
      'none',
      'true',
      'messages',
      'messages[0].content',
      'x',
      '[1, 2]',
      "{'a': 1}",
      '()',
      'range(3)',
      '-0.0',
      "'%s {}'",
      '10 ** 20',
      'namespace(a=1)',
      'loop',
    ),
    binary: fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '//', '%', '**', '~', '==', '<', '>=', 'in', 'not in', 'and', 'or'),
        tie('expression'),
      )
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    unary: fc.tuple(fc.constantFrom('-', '+', 'not '), tie('expression')).map(([o, a]) => `(${o}${a})`),
    filtered: fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          ...'abs batch(2) capitalize center(9) count default(1) dictsort e filesizeformat first float format(1) groupby("a") indent int items join("-") last length list lower map("upper") map(attribute="a") max min pprint reject("odd") replace("a",1) reverse round(1) select slice(2) sort string striptags sum title tojson tojson(indent=1) trim truncate(2) unique upper urlencode wordcount wordwrap(3) xmlattr'.split(
            ' ',
          ),
        ),
      )
      .map(([a, f]) => `(${a} | ${f})`),
    tested: fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          'defined',
          'none',
          'odd',
          'divisibleby 2',
          'string',
          'mapping',
          'sequence',
          'iterable',
          'in [1]',
          'lower',
          'sameas 1',
          'gt 1',
        ),
      )
      .map(([a, t]) => `(${a} is ${t})`),
    called: fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          'upper()',
          'split()',
          'items()',
          'get("a")',
          'join(["a"])',
          'format(1, a=2)',
          'replace("a", "b")',
          'index(1)',
          'strip("a")',
          'startswith("a")',
          'zfill(4)',
          'append(1)',
          'nope()',
        ),
      )
      .map(([a, m]) => `${a}.${m}`),
    indexed: fc
      .tuple(tie('expression'), fc.constantFrom('[0]', '[-1]', '["a"]', '[1:]', '[::-1]', '.a', '[none]', '[:2.5]'))
      .map(([a, i]) => `${a}${i}`),
    choice: fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} if ${b})`),
  }));
  fc.assert(
    fc.property(expression, (each) =>
      outcome(`{{ ${each} }}{% for y in ${each} %}{{ y }}{{ loop.index }}{% endfor %}`),
    ),
    { numRuns: 2000 },
  );
});

test('random pieces of the language', () => {
  const words =
    "{{ }} {% %} {# #} {%- -%} {%+ +%} {{- -}} if elif else endif for in endfor set endset macro endmacro call endcall filter endfilter raw endraw with endwith block endblock generation endgeneration break continue recursive x y loop ns. ( ) [ ] { } , : . | ~ + - * ** / // % = == != < > is not and or 'a' \"b\" 'c 1 2.5 0x1f none true \n \\ 😀 \ue000".split(
      ' ',
    );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 25 }), fc.constantFrom('', ' '), (parts, gap) =>
      outcome(`{{ 1 }}${parts.join(gap)}`),
    ),
    { numRuns: 3000 },
  );
});

test('templates of models with pieces missing, doubled or moved', () => {
  const sources = [
    ...modelTemplates.map(({ template }) => template),
    ...json('chat/language.json').cases.map(({ template }) => `{{ 1 }}${template}`),
  ];
  const change = fc.record({
    source: fc.constantFrom(...sources),
    at: fc.nat(),
    length: fc.nat({ max: 40 }),
    to: fc.nat(),
    doubles: fc.boolean(),
  });
  fc.assert(
    fc.property(change, ({ source, at, length, to, doubles }) => {
      const begin = at % source.length;
      const piece = source.slice(begin, begin + length);
      const rest = doubles ? source : source.slice(0, begin) + source.slice(begin + length);
      const place = to % (rest.length + 1);
      outcome(`{{ 1 }}${rest.slice(0, place)}${piece}${rest.slice(place)}`);
    }),
    { numRuns: 2000 },
  );
});
