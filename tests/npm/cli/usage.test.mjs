import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expectRefusal, fixture, quintet, root, scratchFolder } from '../helpers/quintet.mjs';

const COMMANDS = [
  ...[
    'inspect',
    'validate',
    'tensor',
    'convert',
    'tokenize',
    'detokenize',
    'generate',
    'logits',
    'perplexity',
    'embed',
    'search',
  ],
  ...['classify', 'images', 'kv', 'assets', 'bench', 'serve'],
];
const scratch = scratchFolder();
const model = fixture('embd/f32.weights');

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j prints the overview on stdout', async (args) => {
  const { status, stdout, stderr } = await quintet(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test.each(COMMANDS)('%s --help shows the usage, and so does help %s', async (command) => {
  const { status, stdout, stderr } = await quintet([command, '--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: quintet ${command} `));
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(await quintet(['help', command])).toMatchObject({ status: 0, stdout, stderr: '' });
});

test('a group of commands without one prints its help', async () => {
  const { status, stdout, stderr } = await quintet(['kv']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const args of [
    ['help', 'kv'],
    ['kv', '--help'],
    ['kv', 'help'],
  ])
    expect((await quintet(args)).stdout).toBe(stdout);
  const { stdout: compress } = await quintet(['kv', 'compress', '--help']);
  for (const args of [
    ['help', 'kv', 'compress'],
    ['kv', 'help', 'compress'],
  ])
    expect((await quintet(args)).stdout).toBe(compress);
});

/** [short, long] of each option in a help text that has both. */
const shortOptionsIn = (help) => [...help.matchAll(/^ {2}-(\w), --([\w-]+)/gm)].map(([, short, long]) => [short, long]);

test('a short option means the same in every command', async () => {
  const commands = [
    ...COMMANDS.filter((name) => name !== 'kv' && name !== 'images'),
    ...['kv compress', 'kv decompress', 'kv compare', 'images index', 'images search'],
  ];
  const helps = await Promise.all(commands.map((name) => quintet([...name.split(' '), '--help'])));
  const meanings = new Map();
  for (const [i, { stdout }] of helps.entries()) {
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    for (const [short, long] of shortOptionsIn(stdout)) {
      expect([commands[i], short, long]).toEqual([commands[i], short, meanings.get(short) ?? long]);
      meanings.set(short, long);
    }
  }
  expect(Object.fromEntries([...meanings].sort())).toEqual({
    ...{ b: 'bits', c: 'corpus', f: 'prompt-file', g: 'group-size', h: 'help', i: 'index', k: 'top-k', l: 'labels' },
    ...{ m: 'model', n: 'max-tokens', o: 'out', p: 'prompt', q: 'quantize', t: 'threads' },
  });
  // A command with the long option also has the short one; but --top-k of sampling is a different option.
  for (const [i, { stdout }] of helps.entries()) {
    for (const [short, long] of meanings) {
      if (commands[i] === 'generate' && long === 'top-k') continue;
      expect(stdout).not.toMatch(new RegExp(`^ {6}--${long} `, 'm'));
      if (stdout.includes(` --${long} `)) expect(stdout).toContain(`-${short}, --${long}`);
    }
  }
});

test('--quiet leaves out notes, and keeps errors', async () => {
  const corpus = scratch('corpus.txt');
  writeFileSync(corpus, 'quick brown fox\nlazy dog\n');
  const args = ['search', '--model', model, '--corpus', corpus, '--', 'fox'];
  const loud = await quintet(args);
  expect(loud.stderr).toMatch(/^indexed 2 passages/);
  expect(await quintet([args[0], '--quiet', ...args.slice(1)])).toMatchObject({
    status: 0,
    stdout: loud.stdout,
    stderr: '',
  });
  expectRefusal(await quintet(['inspect', '--quiet', scratch('none')]), /none/);
});

test("--version is the package's", async () => {
  const { stdout } = await quintet(['--version']);
  expect(stdout).toBe(`${JSON.parse(readFileSync(`${root}package.json`)).version}\n`);
});

test.each([
  ['an unknown command', ['frobnicate'], /^quintet: unknown command 'frobnicate'; 'quintet help' lists the commands$/m],
  ['a command with a letter too few', ['serch'], /unknown command 'serch'; did you mean 'search'\?$/m],
  ['a command with two letters swapped', ['emebd', 'x'], /did you mean 'embed'\?/],
  ['the start of a command', ['gen'], /did you mean 'generate'\?/],
  ['a name that every object has', ['constructor'], /unknown command 'constructor'/],
  ['an option for a command', ['--frob'], /unknown option '--frob'/],
  ['help on an unknown command', ['help', 'nonsense'], /unknown command 'nonsense'; 'quintet help' lists/],
  ['help on a misspelt command', ['help', 'inspct'], /unknown command 'inspct'; did you mean 'inspect'\?/],
  [
    'help on an unknown command of a group',
    ['help', 'kv', 'decomp'],
    /kv: unknown command 'decomp'; did you mean 'decompress'\?/,
  ],
  ['help on two commands', ['help', 'embed', 'search'], /help takes the name of one command, not 'embed search'/],
  [
    'an unknown option',
    ['inspect', '--no-such-option', 'x'],
    /inspect: unknown option '--no-such-option'; 'quintet help inspect'/,
  ],
  [
    'a misspelt option',
    ['embed', '--treads', '1', 'x'],
    /embed: unknown option '--treads'; did you mean '--threads'\?/,
  ],
  [
    'an unknown short option',
    ['embed', '-x', 'x'],
    /embed: unknown option '-x'; 'quintet help embed' lists the options/,
  ],
  ['an option that every object has', ['embed', '--constructor', 'x'], /unknown option '--constructor'/],
  ['the format of convert as -t', ['convert', model, '-t', 'amb', '-o', 'x'], /convert: '-t' is now '--to'/],
  ['the hits of search as --k', ['search', '--corpus', 'x', '--k', '3', 'q'], /search: '--k' is now '--top-k'/],
  [
    'both names of the temperature',
    ['generate', '-p', 'x', '--temp', '1', '--temperature', '1'],
    /are the same option/,
  ],
  ['no prompt', ['generate'], /--prompt or --prompt-file is missing/],
  ['an option without its value', ['embed', '--model'], /--model/],
  ['a missing argument', ['inspect'], /FILE is missing/],
  ['an argument too many', ['inspect', model, model], /too many arguments/],
  ['a missing option', ['tensor', model, 'x'], /--out is missing/],
  ['search without a corpus', ['search', 'query'], /--corpus is missing/],
  ['a number that is none', ['search', '--corpus', 'x', '-k', '0', 'q'], /-k|--k/],
  ['a choice that is none', ['embed', '--model', model, '--pooling', 'median', 'x'], /mean, cls, max/],
  [
    'an unknown format',
    ['convert', model, '--to', 'nonsense', '--out', 'x'],
    /--to takes amb, alt, weights, safetensors, tinyruntime/,
  ],
  ['logits without a model', ['logits', '--ids', '1'], /--model is missing/],
  ['ids that are none', ['logits', '--model', model, '--ids', '1,a'], /--ids takes token ids/],
  ['ids of no tokens', ['detokenize', '--model', model, '1,2.5'], /ID takes token ids like 1,2,3, not '1,2.5'/],
  ['an id outside of the vocabulary', ['detokenize', '--model', model, '1 99999999'], /99999999/],
  ['an option of a conversation without one', ['generate', '--prompt', 'x', '--system', 'y'], /--system needs --chat/],
  [
    'a temperature that is none',
    ['generate', '--prompt', 'x', '--temperature', 'hot'],
    /--temperature takes a number, not 'hot'/,
  ],
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
])('%s of a missing file names it', async (_, args) => {
  expectRefusal(await quintet(args(scratch('no-such-file'))), /no-such-file/);
});

test('without --model and the models package, the line names what to install', async () => {
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
