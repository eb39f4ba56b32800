// Comments read as written by a native speaker. None begins with "Of ...", "That of ...", "What ..." or "How ...", or
// with "The same ..." for a thing that it does not name, or says "so many" for a number, "is no word", "of its own" or
// "goes on". Comments of the engine and the package do not say "refused", "tells", "beside", "whatever" or "the other
// way round" either. Titles of tests avoid the worst of these. Limits in C++ are called max and min.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Beginnings of comments that name what is the same. */
const allowed = ['The same seed gives the same text.'];
/** Fixtures, and this file, which quotes the habits. */
const leftOut = ['tests/fixtures/', 'tests/tools/prose.test.mjs'];

const isIn = (path, places) => places.some((place) => path.startsWith(place));
const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.mjs', '*.js', '*.h', '*.cc'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => !isIn(path, leftOut));
const isProduct = (path) => isIn(path, ['src/', 'bindings/', 'npm/src/']);
const isEngine = (path) => isIn(path, ['src/', 'bindings/']) && /\.(h|cc)$/.test(path);

/** A block, or successive lines. The formatters put a comment at the beginning of a line, or after a space. */
const comment = /(?<=^|[ \t])(?:\/\*+[ \n][^]*?\*\/|\/\/ .*(?:\n[ \t]*\/\/ .*)*)/gm;
/** Comments and strings of C++, which contain no names. */
const noCode = /\/\*[^]*?\*\/|\/\/.*|R"(\w*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"/g;
const beginsOddly = (said) => /^(?:Of|That of|The same|What|How|Who)\b/.test(said) && !isIn(said, allowed);
/** "Is no word", where nobody counts; "there is no word" is fine. */
const isNo =
  /(?<!\b(?:there|it)) (?:is|are) no (?!longer|more|less|fewer|larger|smaller|faster|slower|better|worse|later)\b/i;
const ownOrOn = /\bof (?:its|their) own\b|\bgo(?:es)? on\b/i;
/** In what is shipped. */
const inProduct =
  /\b[Rr]efus(?:es?|ed)\b|\b(?:tells?|told)\b|\bother way round\b|\bone's own\b|\b(?:is|are) not there\b|\bfor ever\b|\banew\b|(?<!`)\bbeside\b|\bwhatever\b|\bbut for\b|\bsome (?:hundred|thousand)\b|\b(?:[Nn]eighbour|[Cc]olour|[Cc]entre|[Bb]ehaviour|[Ll]icence)/;
/** In titles of tests. */
const inTitles = /^what (?:is|was)\b|\brefus(?:es?|ed)\b|\btold\b|\banew\b|\b(?:comes?|gives?) back\b|\bone's own\b/i;
const oldLimit = /\b(?:most|least)(?:_\w+)?\b|\bk(?:Most|Least|Fewest)\w*/g;

const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** [line, text] for each comment with one of the habits: the worst, most of them (`strict`), or all (`ofProduct`). */
function habits(text, { strict = true, ofProduct = false } = {}) {
  return [...text.matchAll(comment)].flatMap(({ 0: found, index }) => {
    const said = found
      .replace(/\*+\/$/, '')
      .replace(/^[ \t]*(?:\/\*+|\/\/|\*)/gm, '')
      .trim()
      .replace(/\s+/g, ' ');
    const isOdd =
      beginsOddly(said) ||
      /\bso many\b/i.test(said) ||
      (strict && (isNo.test(said) || ownOrOn.test(said))) ||
      (ofProduct && inProduct.test(said));
    return isOdd ? [[lineAt(text, index), said]] : [];
  });
}

/** [line, name] for each name with one of the old words. */
function oldLimits(text) {
  const code = text.replace(noCode, (found) => found.replace(/[^\n]/g, ' '));
  return [...code.matchAll(oldLimit)].map(({ 0: name, index }) => [lineAt(code, index), name]);
}

const listed = (paths, find) =>
  paths.flatMap((path) =>
    find(readFileSync(root + path, 'utf8')).map(([line, what]) => `${path}:${line}: ${what.slice(0, 80)}`),
  );

test('comments have none of the habits', () => {
  expect(files.length).toBeGreaterThan(1500);
  const isSite = (path) => isIn(path, ['web/', 'tests/browser/']);
  expect(listed(files.filter(isSite), (text) => habits(text, { strict: false }))).toEqual([]);
  const others = files.filter((path) => !isSite(path) && !isProduct(path));
  expect(listed(others, (text) => habits(text))).toEqual([]);
  expect(listed(files.filter(isProduct), (text) => habits(text, { ofProduct: true }))).toEqual([]);
});

test('titles of tests have none, either', () => {
  const titles = (text) =>
    [...text.matchAll(/^\s*(?:(?:test|describe)(?:\.each\(.*\))?|\]\))\((['"`])(.*?)\1/gm)]
      .filter(
        ([, , title]) =>
          isNo.test(` ${title}`) || ownOrOn.test(title) || inTitles.test(title) || /\bso many\b/i.test(title),
      )
      .map(({ 2: title, index }) => [lineAt(text, index), title]);
  const tests = files.filter((path) => /^tests\/.*\.test\.mjs$/.test(path));
  expect(tests.length).toBeGreaterThan(200);
  expect(listed(tests, titles)).toEqual([]);
  expect(titles("  test('a word is no token', () => {\n])('%s goes on', () => {\ntest('fine', f);")).toHaveLength(2);
  expect(titles("test('what is wrong is refused', () => {\ntest('a mistake is rejected', f);")).toHaveLength(1);
});

test('limits in C++ are called max and min', () => {
  const engine = files.filter(isEngine);
  expect(engine.length).toBeGreaterThan(500);
  expect(listed(engine, oldLimits)).toEqual([]);
});

test.each([
  ['// Of the assistant: the tools.', [1]],
  ['int a;  // Of a.', [1]],
  ['/** Of a token. */\nint a;', [1]],
  ['\n/**\n * Of a token.\n */', [2]],
  ['// That of a token.', [1]],
  ['// What a file says.', [1]],
  ['/** How many there are. */', [1]],
  ['// The same without the activation.', [1]],
  ['/** The same for locations. */', [1]],
  ['// Room for so many rows.', [1]],
  ['\n  // Room for so\n  // many rows.', [2]],
  ['/*\n * So many that it fits.\n */', [1]],
  ['// A word is no token.', [1]],
  ['// A folder of its own.', [1]],
  ['// It goes on.', [1]],
  ['// There is no token, and it is no longer there.', []],
  ['// The same seed gives the same text. Default: random.\n// The number\n// Of which.', []],
  ["f('// Of it');\nconst url = 'http://a/ Of it';\n// Official.", []],
])('comments with a habit in %j: lines %j', (text, lines) => {
  expect(habits(text).map(([line]) => line)).toEqual(lines);
});

test('habits that only the engine and the package avoid are found', () => {
  const text =
    '// It is refused.\n\n// A size tells it.\n\n// A neighbour.\n\n// All but for one.\n\n// `beside`.\nrefuse(told);';
  expect(habits(text)).toEqual([]);
  expect(habits(text, { ofProduct: true }).map(([line]) => line)).toEqual([1, 3, 5, 7]);
});

test('the old names of limits are found, in code alone', () => {
  const text = [
    '// at least, at most',
    'const size_t most = least_bits(kMostRows, "most");  // most',
    'const char* text = R"(least "most")";',
    'x = kLeast + kFewestBits + schema.least;',
    'almost(utmost, ask_most, kAlmost);',
  ].join('\n');
  expect(oldLimits(text)).toEqual([
    [2, 'most'],
    [2, 'least_bits'],
    [2, 'kMostRows'],
    [4, 'kLeast'],
    [4, 'kFewestBits'],
    [4, 'least'],
  ]);
});
