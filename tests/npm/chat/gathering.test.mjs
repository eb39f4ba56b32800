// Templates that put long texts together in variables: joining costs nothing until the text is read.
import { loadPhi3 } from './chat_fixtures.mjs';

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
});
afterAll(() => tokenizer.close());

const textOf = (messages, template, options) =>
  tokenizer.applyChatTemplate(messages, { template, addGenerationPrompt: false, ...options }).text;
const said = (count, size) =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i}${'x'.repeat(size)}` }));
const all = (messages, between = '') => messages.map(({ role, content }) => `<${role}>${content}`).join(between);
const gathering = (statement, result = '{{ ns.s }}', begin = "''") =>
  `{% set ns = namespace(s=${begin}) %}{% for m in messages %}${statement}{% endfor %}${result}`;

// The expected text is written by hand.
test.each([
  ['+', gathering("{% set ns.s = ns.s + '<' + m.role + '>' + m.content %}")],
  ['~', gathering("{% set ns.s = ns.s ~ '<' ~ m.role ~ '>' ~ m.content %}")],
  ['a block', gathering('{% set ns.s %}{{ ns.s }}<{{ m.role }}>{{ m.content }}{% endset %}')],
  ['join', gathering("{% set ns.s = [ns.s, '<', m.role, '>', m.content] | join %}")],
  ['format', gathering("{% set ns.s = '%s<%s>%s' % (ns.s, m.role, m.content) %}")],
  ['braces', gathering("{% set ns.s = '{}<{}>{}'.format(ns.s, m.role, m.content) %}")],
  [
    'a macro',
    `{% macro more(s, m) %}{{ s }}<{{ m.role }}>{{ m.content }}{% endmacro %}${gathering('{% set ns.s = more(ns.s, m) %}')}`,
  ],
  ['a list', gathering("{% set ns.s = ns.s + ['<' ~ m.role ~ '>' ~ m.content] %}", "{{ ns.s | join('') }}", '[]')],
])('150 messages of 1 KB and 1,500 of 100 bytes: %s', (_, template) => {
  for (const messages of [said(150, 1000), said(1500, 100)]) expect(textOf(messages, template)).toBe(all(messages));
});

test.each([
  ['trimmed', gathering("{% set ns.s = (ns.s ~ '<' ~ m.role ~ '>' ~ m.content) | trim %}")],
  ['replaced in', gathering("{% set ns.s = (ns.s ~ '[' ~ m.role ~ '>' ~ m.content) | replace('[', '<') %}")],
  [
    'looked into',
    gathering(
      "{% set ns.s = ns.s ~ '<' ~ m.role ~ '>' ~ m.content %}{% if ns.s[-1] != 'x' or 'yy' in ns.s or ns.s.endswith('y') %}no{% endif %}",
    ),
  ],
])('400 messages of 1 KB, %s at each step', (_, template) => {
  const messages = said(400, 1000);
  expect(textOf(messages, template)).toBe(all(messages));
});

test.each(['ns.s|length > 0', 'not ns.s.endswith(" ")', 'ns.s|trim'])(
  '3,000 lines of 50 characters, where %s',
  (look) => {
    const lines = Array.from({ length: 3000 }, (_, i) => String(i).padEnd(50, 'x'));
    const template =
      "{% set ns = namespace(s='') %}{% for l in messages[0].content.split('|') %}" +
      `{% if ns.s and ${look} %}{% set ns.s = ns.s + '+' %}{% endif %}{% set ns.s = ns.s + l %}{% endfor %}{{ ns.s }}`;
    expect(textOf([{ role: 'user', content: lines.join('|') }], template)).toBe(lines.join('+'));
  },
);

test('a list of 5,000 items, gathered one by one', () => {
  const template =
    '{% set ns = namespace(l=[]) %}{% for i in range(5000) %}{% set ns.l = ns.l + [i] %}{% endfor %}{{ ns.l | sum }}';
  expect(textOf([], template)).toBe(String((5000 * 4999) / 2));
});

test('300 tools of 40 arguments, as LFM2 writes them', () => {
  const parameters = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `argument_${i}`,
        { type: 'string', description: 'What this argument is for.' },
      ]),
    ),
  };
  const tools = Array.from({ length: 300 }, (_, i) => ({ name: `tool_${i}`, description: 'Useful.', parameters }));
  const template =
    "{% set ns = namespace(s='List of tools: [') %}{% for tool in tools %}{% set ns.s = ns.s + (tool | tojson) + (', ' if not loop.last else '') %}{% endfor %}{{ ns.s + ']' }}";
  const text = textOf([], template, { tools });
  expect(JSON.parse(text.slice('List of tools: '.length))).toEqual(
    tools.map((each) => ({ type: 'function', function: each })),
  );
});

test('a token that is gathered of a template and of messages stays text', () => {
  const messages = Array.from({ length: 200 }, () => ({ role: 'user', content: '<|end' }));
  const { text, ids } = tokenizer.applyChatTemplate(messages, {
    template: gathering("{% set ns.s = ns.s ~ m.content ~ '|>' ~ '<|end|>' %}", "{{ ns.s[1:] | replace('<', '<') }}"),
    addGenerationPrompt: false,
  });
  expect(text).toBe('<|end|><|end|>'.repeat(200).slice(1));
  expect([...ids].filter((id) => tokenizer.token(id) === '<|end|>')).toHaveLength(200);
});

test('pieces of gathered text keep their author', () => {
  const content = '<|end|>';
  const special = (expression) => {
    const { ids } = tokenizer.applyChatTemplate([{ role: 'user', content }], {
      template: `{% set m = messages[0].content %}{% set t = '<|end|>' %}{{ ${expression} }}`,
      addGenerationPrompt: false,
    });
    return [...ids].filter((id) => tokenizer.token(id) === '<|end|>').length;
  };
  // Written by hand: each whole `t` is a token, and no `m` is.
  expect(special('m ~ t ~ m ~ t')).toBe(2);
  expect(special('(m ~ t) * 5')).toBe(5);
  expect(special('((m ~ t) * 5)[7:]')).toBe(5);
  expect(special('((m ~ t) * 5)[8:]')).toBe(4);
  expect(special('((m ~ t) * 5)[:-1]')).toBe(4);
  expect(special('((t ~ m) * 2)[7:14]')).toBe(0);
  expect(special('((t ~ m) * 2)[14:21]')).toBe(1);
  expect(special('[m ~ t, t ~ m] | join(t)')).toBe(3);
  expect(special('((m ~ t) * 3) | list | join')).toBe(3);
  expect(special("((m ~ '.' ~ t ~ '.') * 3).split('.') | join")).toBe(3);
  expect(special("(' ' ~ t ~ m ~ ' ') | trim | upper | lower")).toBe(1);
  expect(special("(t ~ m) | replace('end', 'end')")).toBe(1);
  expect(special('m[:3] ~ t[3:]')).toBe(0);
  expect(special('t[:3] ~ t[3:]')).toBe(1);
  expect(special('(t ~ m)[::-1][::-1]')).toBe(1);
});
