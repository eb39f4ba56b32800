// docs/errors.md has every code, reason and fallback that the package uses.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readErrorList, readFallbackList } from '../../tools/errors/error_list.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path) => readFileSync(root + path, 'utf8');
const sources = (pattern, ...folders) =>
  execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => pattern.test(path));

const { codes, reasons } = readErrorList();
const fallbacks = readFallbackList();
const names = (list) => list.map(({ name }) => name);

/** [code, reason] of all errors that a text makes of literals; the code is undefined where it stands elsewhere. */
function pairsInTypeScript(text) {
  const codeOf = { inputError: 'INPUT', ioError: 'IO' };
  return [
    ...[...text.matchAll(/\b(inputError|ioError)\(\s*'(\w+)'/g)].map(([, maker, reason]) => [codeOf[maker], reason]),
    ...[...text.matchAll(/new QuintetError\(\s*'(\w+)',[^;]*?\breason: '(\w+)'/g)].map(([, code, reason]) => [
      code,
      reason,
    ]),
    ...[...text.matchAll(/\[?'([A-Z]+)', '([a-z]\w*)'/g)]
      .filter(([, code]) => names(codes).includes(code))
      .map(([, code, reason]) => [code, reason]),
  ];
}

function pairsInCpp(text) {
  const codeOf = { format_error: 'FORMAT', input_error: 'INPUT' };
  return [
    ...[...text.matchAll(/\b(format_error|input_error)\(\s*Reason::(\w+)/g)].map(([, maker, reason]) => [
      codeOf[maker],
      reason,
    ]),
    ...[...text.matchAll(/\bCode::(\w+),\s*(?:\.reason = )?Reason::(\w+)/g)].map(([, code, reason]) => [
      code.toUpperCase(),
      reason,
    ]),
  ];
}

/** Errors that the list does not have. A fault of the package may have any reason. */
const unlisted = (pairs) =>
  pairs.filter(
    ([code, name]) => !reasons.some((each) => each.name === name && (code === 'INTERNAL' || each.codes.includes(code))),
  );

test('docs/errors.md matches the generator', () => {
  const generated = execFileSync(process.execPath, [`${root}tools/generate_errors_page.mjs`, '--out', '-'], {
    encoding: 'utf8',
  });
  expect(generated).toBe(textOf('docs/errors.md'));
});

test('it has every code and every reason, with a remedy', () => {
  const rows = textOf('docs/errors.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.slice(2, -2).split(' | '));
  expect(cells.map(([name]) => name.replaceAll('`', '')).sort()).toEqual(
    [...names(codes), ...names(reasons), ...names(fallbacks)].sort(),
  );
  for (const row of cells) expect(row.every((cell) => cell.trim() !== '')).toBe(true);
  for (const reason of reasons) expect(names(codes)).toEqual(expect.arrayContaining(reason.codes));
});

test("the core's reasons are in the list, under the same names", () => {
  const [, body] = /enum class Reason[^{]*\{([^}]*)\}/.exec(textOf('src/base/error.h'));
  const inEnum = [...body.matchAll(/^\s*(\w+),/gm)].map(([, name]) => name);
  expect(inEnum.length).toBeGreaterThan(10);
  expect(names(reasons).slice(0, inEnum.length)).toEqual(inEnum);
  const named = [...textOf('bindings/outcome.cc').matchAll(/case Reason::(\w+):\s*return "(\w+)"/g)];
  expect(named.map(([, name]) => name)).toEqual(inEnum);
  expect(named.map(([, , text]) => text)).toEqual(inEnum);
  const [, codesInEnum] = /enum class Code[^{]*\{([^}]*)\}/.exec(textOf('src/base/error.h'));
  expect(codesInEnum.toUpperCase().match(/\w+/g)).toEqual(names(codes));
});

test('every error of TypeScript and C++ is in the list with its code', () => {
  const thrown = sources(/\.ts$/, 'npm/src').flatMap((path) => pairsInTypeScript(textOf(path)));
  expect(thrown.length).toBeGreaterThan(100);
  expect(unlisted(thrown)).toEqual([]);
  const returned = sources(/\.(cc|h)$/, 'src', 'bindings').flatMap((path) => pairsInCpp(textOf(path)));
  expect(returned.length).toBeGreaterThan(200);
  expect(unlisted(returned)).toEqual([]);
});

test('errors missing from the list are found', () => {
  expect(unlisted(pairsInTypeScript("throw inputError('unheard_of', m); ioError(\n  'closed', m)"))).toEqual([
    ['INPUT', 'unheard_of'],
    ['IO', 'closed'],
  ]);
  expect(unlisted(pairsInTypeScript("new QuintetError('FORMAT', `a`, { reason: 'trap', cause })"))).toEqual([
    ['FORMAT', 'trap'],
  ]);
  expect(unlisted(pairsInCpp('return format_error(\n  Reason::out_of_memory, 0, "");'))).toEqual([
    ['FORMAT', 'out_of_memory'],
  ]);
  expect(unlisted(pairsInCpp('fail({.code = Code::memory, .reason = Reason::limit})'))).toEqual([['MEMORY', 'limit']]);
});

test('a reason without a remedy or a code is rejected', () => {
  const source = (comment) =>
    `type ErrorCode =\n  /** It ends. What to do: mend it. */\n  | 'A';\ntype ErrorReason =\n${comment}  | 'b';`;
  expect(readErrorList(source('  /**\n   * With `A`: it is\n   * short. What to do: more.\n   */\n')).reasons).toEqual([
    { name: 'b', codes: ['A'], happened: 'It is short', remedy: 'More' },
  ]);
  expect(() => readErrorList(source(''))).toThrow(/'b'/);
  expect(() => readErrorList(source('  /** With `A`: it is short. */\n'))).toThrow(/'b'/);
  expect(() => readErrorList(source('  /** It is short. What to do: more. */\n'))).toThrow(/'b'/);
});
