// Comments read as written by a native speaker: none begins with "Of ...", or with "The same ..." for a thing that it
// does not name, or says "so many" for a number. Limits in C++ are called max and min.
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
const isEngine = (path) => isIn(path, ['src/', 'bindings/']) && /\.(h|cc)$/.test(path);

/** A block, or successive lines. The formatters put a comment at the beginning of a line, or behind a space. */
const comment = /(?<=^|[ \t])(?:\/\*+[ \n][^]*?\*\/|\/\/ .*(?:\n[ \t]*\/\/ .*)*)/gm;
/** Comments and strings of C++, which contain no names. */
const noCode = /\/\*[^]*?\*\/|\/\/.*|R"(\w*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"/g;
const oldLimit = /\b(?:most|least)(?:_\w+)?\b|\bk(?:Most|Least|Fewest)\w*/g;

const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** [line, text] for each comment with one of the habits. */
function habits(text) {
  return [...text.matchAll(comment)].flatMap(({ 0: found, index }) => {
    const said = found
      .replace(/\*+\/$/, '')
      .replace(/^[ \t]*(?:\/\*+|\/\/|\*)/gm, '')
      .trim()
      .replace(/\s+/g, ' ');
    const isOdd = (/^(?:Of|The same)\b/.test(said) && !isIn(said, allowed)) || /\bso many\b/i.test(said);
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

test('comments say what they are about', () => {
  expect(files.length).toBeGreaterThan(1500);
  expect(listed(files, habits)).toEqual([]);
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
  ['// The same without the activation.', [1]],
  ['/** The same for locations. */', [1]],
  ['// Room for so many rows.', [1]],
  ['\n  // Room for so\n  // many rows.', [2]],
  ['/*\n * So many that it fits.\n */', [1]],
  ['// The same seed gives the same text. Default: random.\n// The number\n// Of which.', []],
  ["f('// Of it');\nconst url = 'http://a/ Of it';\n// Official.", []],
])('comments with a habit in %j: lines %j', (text, lines) => {
  expect(habits(text).map(([line]) => line)).toEqual(lines);
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
