// Answers that arrive in pieces: wherever they are cut, thoughts, tool calls and text are the same.
import fc from 'fast-check';
import { importSource } from '../helpers/source.mjs';

const { AnswerReader } = await importSource('chat/answers/reader.ts');
const { callFormatOf } = await importSource('chat/answers/formats.ts');
const { thinkingOf } = await importSource('chat/answers/style.ts');

const weather = (city) => ({ name: 'get_weather', arguments: { city } });
const written = (city) => `<tool_call>\n${JSON.stringify(weather(city))}\n</tool_call>`;
const style = {
  ...thinkingOf('<think></think>', ''),
  calls: callFormatOf('<tool_call>'),
  reading: { tools: [{ name: 'get_weather' }], exact: false },
};

/** The answer in pieces that end at these places: text and reasoning as they streamed, and everything else. */
function read(answer, ends = []) {
  const reader = new AnswerReader(style);
  const places = [0, ...ends.map((end) => end % answer.length).sort((a, b) => a - b), answer.length];
  const parts = places.slice(1).flatMap((end, i) => reader.push(answer.slice(places[i], end)));
  parts.push(...reader.finish());
  const streamed = (type) =>
    parts
      .filter((part) => part.type === type)
      .map(({ text }) => text)
      .join('');
  const found = reader.found();
  expect(streamed('reasoning')).toBe(found.reasoning ?? '');
  return { text: streamed('text'), ...found };
}

const answers = [
  ['plain text', '  Hello.', { text: '  Hello.' }],
  ['thoughts', '<think>\nHm.\n</think>\n\nYes.', { text: 'Yes.', reasoning: 'Hm.' }],
  ['thoughts without an end', '<think>\nHm', { text: '', reasoning: 'Hm' }],
  ['calls', `${written('Paris')}\n${written('Rome')}`, { text: '', toolCalls: [weather('Paris'), weather('Rome')] }],
  ['text before a call', `Let me see.\n${written('Paris')}`, { text: 'Let me see.\n', toolCalls: [weather('Paris')] }],
  ['the marker in a string', written('</tool_call>'), { text: '', toolCalls: [weather('</tool_call>')] }],
  ['half a marker', 'a <tool_cal', { text: 'a <tool_cal' }],
  [
    'a call that is not JSON',
    '<tool_call>Paris?</tool_call>!',
    { text: '<tool_call>Paris?</tool_call>!', unparsedToolCalls: ['<tool_call>Paris?</tool_call>'] },
  ],
];

test.each(answers)('%s', (_, answer, expected) => {
  expect(read(answer)).toEqual(expected);
  const everywhere = Array.from({ length: answer.length }, (_, i) => i);
  expect(read(answer, everywhere)).toEqual(expected);
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 5 }), (ends) => expect(read(answer, ends)).toEqual(expected)));
});
