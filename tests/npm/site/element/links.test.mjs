// The addresses of results.
import { importSource } from '../../helpers/source.mjs';

const { linkTo, textDirective } = await importSource('site/element/links.ts');

const root = new URL('https://example.org/docs/');
const excerpt = (text, word) => ({ text, marks: word ? [[text.indexOf(word), text.indexOf(word) + word.length]] : [] });
const none = excerpt('');

test.each([
  ['guide/a.html', '', 'https://example.org/docs/guide/a.html'],
  ['guide/a.html', 'b c', 'https://example.org/docs/guide/a.html#b%20c'],
  ['', 'functions-text.index', 'https://example.org/docs/#functions-text.index'],
  ['../other.html', '', 'https://example.org/other.html'],
  ['javascript:alert(1)', '', undefined],
  // Browsers drop tabs in addresses.
  ['JavaScript\t:alert(1)', '', undefined],
  ['data:text/html,x', '', undefined],
  ['blob:https://example.org/1', '', undefined],
  ['http://[', '', undefined],
])('%j with %j', (url, anchor, expected) => {
  const link = linkTo(root, url, anchor, none, 'fragment');
  expect(link).toBe(expected);
});

test('a site opened from files links to files', () => {
  expect(linkTo(new URL('file:///docs/'), 'a.html', '', none, 'none')).toBe('file:///docs/a.html');
});

test.each([
  ['a text in one clause', 'The horn sounds twice a minute in fog.', 'horn', 'The horn sounds twice a minute in fog.'],
  [
    'the clause of the word alone',
    'Short. Then the lamp is cleaned with vinegar: every day.',
    'lamp',
    'Then the lamp is cleaned with vinegar',
  ],
  [
    'not beyond what may be another element',
    'one cell | the other cell has words | third',
    'words',
    'the other cell has words',
  ],
  ['not over an ellipsis', '… and the oil of the clockwork …', 'oil', 'and the oil of the clockwork'],
])('a text directive: %s', (_, text, word, phrase) => {
  const directive = textDirective(excerpt(text, word));
  expect(decodeURIComponent(directive.replace(':~:text=', ''))).toBe(phrase);
  expect(text).toContain(phrase);
});

test.each([
  ['too short', 'Oil. More.', 'Oil'],
  ['no spaces', '東京都の天気は晴れです明日も晴れるでしょう', '天気'],
  ['half a character', 'a word with half \ud83d of a character in it', 'half'],
  ['nothing marked', 'There is nothing marked in this text.', ''],
])('no text directive: %s', (_, text, word) => {
  expect(textDirective(excerpt(text, word))).toBe('');
});

test('dashes and commas of the text are escaped in the directive', () => {
  const directive = textDirective(excerpt('a well-known, tried, and tested way', 'tried'));
  expect(directive).toBe(':~:text=a%20well%2Dknown%2C%20tried%2C%20and%20tested%20way');
});
