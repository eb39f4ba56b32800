import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { expectRefusal, fixture, quintet, root, scratchFolder } from './quintet.mjs';

const COMMANDS = [
  ...['inspect', 'validate', 'tensor', 'convert', 'tokenize', 'detokenize', 'generate', 'logits', 'perplexity', 'embed', 'search'],
  ...['classify', 'kv', 'bench'],
];
const scratch = scratchFolder();
const model = fixture('embd/f32.weights');

test('--help lists every command', async () => {
  const { status, stdout, stderr } = await quintet(['--help']);
  expect(status).toBe(0);
  expect(stderr).toBe('');
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test.each(COMMANDS)('%s --help tells how it is used', async (command) => {
  const { status, stdout, stderr } = await quintet([command, '--help']);
  expect(status).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(new RegExp(`^Usage: quintet ${command} `));
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

test('--version is the package\'s', async () => {
  const { stdout } = await quintet(['--version']);
  expect(stdout).toBe(`${JSON.parse(readFileSync(`${root}package.json`)).version}\n`);
});

test.each([
  ['no command', [], /no command/],
  ['an unknown command', ['frobnicate'], /no command 'frobnicate'/],
  ['a command of another program', ['serve', 'x'], /no command 'serve'/],
  ['a name that every object has', ['constructor'], /no command 'constructor'/],
  ['an unknown option', ['inspect', '--no-such-option', 'x'], /--no-such-option/],
  ['an option without its value', ['embed', '--model'], /--model/],
  ['a missing argument', ['inspect'], /FILE is missing/],
  ['an argument too many', ['inspect', model, model], /too many arguments/],
  ['a missing option', ['tensor', model, 'x'], /--out is missing/],
  ['search without a corpus', ['search', 'query'], /--corpus is missing/],
  ['a number that is none', ['search', '--corpus', 'x', '-k', '0', 'q'], /-k|--k/],
  ['a choice that is none', ['embed', '--model', model, '--pooling', 'median', 'x'], /mean, cls, max/],
  ['an unknown format', ['convert', model, '--to', 'nonsense', '--out', 'x'], /--to takes amb, alt, weights, safetensors, tinyruntime/],
  ['logits without a model', ['logits', '--ids', '1'], /--model is missing/],
  ['ids that are none', ['logits', '--model', model, '--ids', '1,a'], /--ids takes ids/],
  ['ids of no tokens', ['detokenize', '--model', model, '1,2.5'], /IDS takes ids like 1,2,3, not '1,2.5'/],
  ['an id outside of the vocabulary', ['detokenize', '--model', model, '1 99999999'], /99999999/],
  ['an option of a conversation without one', ['generate', '--prompt', 'x', '--system', 'y'], /--system goes with --chat/],
  ['a temperature that is none', ['generate', '--prompt', 'x', '--temperature', 'hot'], /--temperature/],
  ['a type of cache that is none', ['perplexity', '--model', model, '--text', 'x', '--kv-cache', 'f8'], /f32, f16/],
  ['pictures without any', ['classify', '--model', model], /IMAGE is missing/],
  ['stdin twice', ['embed', '--model', '-', '-'], /stdin/],
])('%s: one line and exit status 2', async (_, args, pattern) => {
  expectRefusal(await quintet(args), pattern);
});

test.each([
  ['inspect', (path) => ['inspect', path]],
  ['validate', (path) => ['validate', path]],
  ['tensor', (path) => ['tensor', path, 'x', '--out', scratch('x.npy')]],
  ['embed', (path) => ['embed', '--model', path, 'x']],
  ['convert', (path) => ['convert', path, '--to', 'weights', '--out', scratch('x.weights')]],
])('%s of a file that is not there names it', async (_, args) => {
  expectRefusal(await quintet(args(scratch('no-such-file'))), /no-such-file/);
});

test('without --model and the models package, the line says what to install', async () => {
  // A copy of the program alone, outside of the repository, sees no models/.
  mkdirSync(scratch('alone'));
  cpSync(`${root}dist`, scratch('alone/dist'), { recursive: true });
  cpSync(`${root}package.json`, scratch('alone/package.json'));
  const { status, stderr } = spawnSync(process.execPath, [scratch('alone/dist/cli.js'), 'embed', 'x'], {
    cwd: scratch('alone'),
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^quintet: .*npm install quintet-models\n$/);
  expect(status).toBe(2);
});
