// Parts of the template language that few templates use: a generator loads them when a template needs one, in the
// middle of a rendering. Nothing else in this file has loaded them before.
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { byteModel } from '../helpers/models/byte_model.mjs';

let model;
beforeAll(async () => {
  model = await TextGenerator.load(
    byteModel(
      "{{ messages[0].content | wordwrap(3) }}|{{ '%-4s%03d' % ('<s>', 7) }}|{{ '{:>5.1f}'.format(2.25) }}|{{ {'a': 1} | xmlattr }}",
    ),
  );
});
afterAll(() => model.close());

const calling = { role: 'assistant', toolCalls: [{ name: 'f', arguments: { x: 1 } }] };

// The expected texts are those of Python and Jinja2.
test('the first template that needs them is rendered whole, with calls of tools in the conversation', async () => {
  const { text, ids } = await model.applyChatTemplate([{ role: 'user', content: 'a b <s> c' }, calling]);
  expect(text).toBe('a b\n<s>\nc|<s> 007|  2.2| a="1"');
  // The token of the template is special, the one of the message is not.
  expect(ids.filter((id) => id === 1)).toHaveLength(1);
});

test('so is every later one, also with names built from parts', async () => {
  const template = "{{ 'x'['cen' ~ 'ter'](3) }}|{{ [messages[0].content] | map('wor' ~ 'dcount') | first }}";
  expect((await model.applyChatTemplate([{ role: 'user', content: 'a b' }], { template })).text).toBe(' x |2');
});

test('an error raised by a template is still its own', async () => {
  const error = await failureOf(
    model.applyChatTemplate([calling], {
      template: "{{ 'a' | truncate(1, true, 'long') }}{{ raise_exception('no') }}",
    }),
  );
  expect([error.code, error.message]).toEqual(['INPUT', 'chat template: no']);
});
