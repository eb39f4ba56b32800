// Pages read as written by a native speaker: habits of another language, and sentences that are too long to follow.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Others' words, tables of figures, and the demo site, whose text is its own. */
const leftOut = ['tests/fixtures/', 'models/ATTRIBUTION.md', 'bench/results/README.md', 'web/'];
const pages = execFileSync('git', ['ls-files', '--', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !leftOut.some((place) => path.startsWith(place)));

const habits = {
  // Not "there is no token".
  'is no':
    /(?<!\b(?:there|it)) (?:is|are) no (?!longer|more|less|fewer|larger|smaller|faster|slower|better|worse|later)\b/i,
  // "The same for folders", but "The same model gives the same bytes" names what it is.
  'The same': /(?:^|[.:!?] )The same(?=[.,:;]| (?:for|as|with|without|in|of|by|from|to)\b)/,
  'of its own': /\bof (?:its|their) own(?! \w)/,
  'so many': /\bso many\b/i,
  'goes on': /\b(?:go|goes|going) on\b/,
  'Of …': /(?:^|[.:!?] )Of (?!course)/,
  // Rejected, an error, not supported.
  refused: /\brefus(?:e|es|ed)\b/i,
  // Files and messages say or show it; who is told is a person.
  tells: /\btells?\b(?! people)/,
  'is none': /(?<!\bthere )(?:is|are) none\b/,
  'other way round': /\bother way round\b/,
  'some hundred': /\bsome (?:ten|hundred|thousand)s?\b/,
  'for ever, anew': /\b(?:for ever|anew)\b/,
  'Supported are …': /(?:^|[.:;!?] )(?:Supported|Tested|Usual|Required|Skipped) (?:is|are)\b/,
  'British spelling': /\b(?:neighbour|colour|centre|behaviour|licence)/i,
};
const maxWords = 30;
/** A sentence with this many commas is a list, which may be longer. */
const listCommas = 6;

/** The texts of a page: { prose } of paragraphs and items of lists, { cells } of tables. Code is one word. */
function textsOf(page) {
  const blocks = page
    .replace(/```[^]*?```|<!--[^]*?-->|^ {4,}.*$/gm, '\n')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*]|\d+\.) /gm, '\n')
    .replace(/^#+ (.*)$/gm, '\n$1\n')
    .split(/\n\s*\n/);
  const isTable = (block) => block.trim().startsWith('|');
  return {
    prose: blocks.filter((block) => !isTable(block)).map(oneLine),
    cells: blocks.filter(isTable).flatMap((table) => table.split(/[|\n]/).map(oneLine)),
  };
}

const oneLine = (text) => text.trim().replace(/\s+/g, ' ');

const sentencesOf = (text) => text.split(/(?<=[.:;!?]) /);
const wordsIn = (sentence) => sentence.split(' ').filter((word) => /\w/.test(word)).length;
const isLong = (sentence) => wordsIn(sentence) > maxWords && sentence.split(',').length <= listCommas;

/** Rows with more or fewer cells than the head of their table: a `|` in code needs a backslash, too. */
function unevenRows(page) {
  const tables = page
    .replace(/```[^]*?```/g, '')
    .split('\n\n')
    .filter((block) => block.startsWith('|'));
  const cellsIn = (row) => row.match(/(?<!\\)\|/g).length;
  return tables.flatMap((block) => {
    const [head, ...rows] = block.trim().split('\n');
    return rows.filter((row) => cellsIn(row) !== cellsIn(head)).map((row) => ['cells', row]);
  });
}

/** The problems of a page: [habit, text]. Cells may be long: they are notes. */
function problemsOf(page) {
  const { prose, cells } = textsOf(page);
  const odd = [...prose, ...cells].flatMap((text) =>
    Object.entries(habits)
      .filter(([, habit]) => habit.test(text))
      .map(([name]) => [name, text]),
  );
  const long = prose
    .flatMap(sentencesOf)
    .filter(isLong)
    .map((sentence) => [`${wordsIn(sentence)} words`, sentence]);
  return [...odd, ...long, ...unevenRows(page)];
}

test('there are pages to check', () => {
  expect(pages.length).toBeGreaterThan(50);
});

test.each(pages)('%s', (page) => {
  expect(problemsOf(readFileSync(root + page, 'utf8'))).toEqual([]);
});

test.each([
  ['A word is no token. There is no such word.', ['is no']],
  ['It works. The same with files.', ['The same']],
  ['The same file gives the same bytes.', []],
  ['Each has a folder of its own.', ['of its own']],
  ['- Of the files, one is read.', ['Of …']],
  ['A file is refused. If there is none, tell people.', ['refused']],
  [
    'Its size tells; it is none. Supported are two colours.',
    ['British spelling', 'Supported are …', 'is none', 'tells'],
  ],
  [
    'Some take some hundred steps, or the other way round, for ever.',
    ['some hundred', 'other way round', 'for ever, anew'],
  ],
  ['| a | goes on |\n| - | - |\n| b | so many |', ['so many', 'goes on']],
  ['| a | b |\n| - | - |\n| `c|d` | e |\n| `c\\|d` | e |', ['cells']],
  ['```\nis no code\n```\nand `The same` in code', []],
  [`${'word '.repeat(31)}.`, ['31 words']],
  [`${'word, '.repeat(31)}.`, []],
])('%j has %j', (page, names) => {
  expect(
    problemsOf(page)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(names.toSorted());
});
