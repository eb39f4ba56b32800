// docs/cli.md has the commands and options of the command line, and names no others.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCommands } from '../../tools/cli_page/command_tables.mjs';
import { helpText, table } from '../../tools/cli_page/markdown.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/cli.md`, 'utf8');

test('docs/cli.md matches the generator', () => {
  const generator = `${root}tools/generate_cli_page.mjs`;
  const generated = execFileSync(process.execPath, [generator, '--out', '-'], { encoding: 'utf8' });
  expect(generated).toBe(page);
});

test('it names no option that does not exist, and misses none', async () => {
  const { commands, common } = await readCommands();
  const tables = commands.flatMap((command) => command.tables);
  expect(commands.length).toBeGreaterThan(20);
  const existing = [common, ...tables.map(({ options }) => options)].flatMap(Object.keys);
  const old = tables.flatMap(({ renamed }) => Object.keys(renamed)).map((name) => name.replace(/^-+/, ''));
  const named = [...page.matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z]|[a-z])\b(?!-\*)/g)].map(([, name]) => name);
  const expected = new Set([...existing, ...old, 'version']);
  expect([...new Set(named)].filter((name) => !expected.has(name))).toEqual([]);
  expect(existing.filter((name) => !named.includes(name))).toEqual([]);
});

test.each([
  ['read N lines; - for stdin', 'N', 'read `N` lines; `-` for stdin'],
  [
    'with --json: {"a": {"b"}} of FILE, or \'\' for none',
    undefined,
    'with `--json`: `{"a": {"b"}}` of `FILE`, or `\'\'` for none',
  ],
  ['the model\'s `none` (default), or its "query"', undefined, "the model's `none` (default), or its `query`"],
  ['hf:OWNER/NAME[:QUANT], a .gguf file or a|b', 'FILE', '`hf:OWNER/NAME[:QUANT]`, a `.gguf` file or a\\|b'],
])('%j of an option with the value %j is %j on the page', (help, value, expected) => {
  expect(helpText(help, value)).toBe(expected);
});

test('a table is padded', () => {
  expect(table(['a', 'bcde'], [['`long`', '']])).toBe('| a      | bcde |\n| ------ | ---- |\n| `long` |      |');
});
