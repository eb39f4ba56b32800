// All JSON of the command line has keys in camelCase, except for names that come from a file.
import { writeFileSync } from 'node:fs';
import { story } from '../helpers/generator_fixtures.mjs';
import { fixture, jsonLines, quintet, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const embedder = fixture('embd/f32.weights');
const clip = fixture('vision/clip-hf-sparse');
const cache = fixture('safetensors/kv-f32.safetensors');

/** Objects whose keys are the names of a file format. */
const NAMED_BY_FILES = ['metadata', 'config', 'special'];

function keysOf(value) {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(NAMED_BY_FILES.includes(key) ? [] : keysOf(inner))]);
}

beforeAll(() => {
  writeFileSync(
    scratch('text.txt'),
    'Once upon a time, there was a little girl named Lily. She loved to play outside in the park.',
  );
  writeFileSync(scratch('corpus.txt'), 'quick brown fox\nlazy dog\n');
  writeFileSync(scratch('bad.weights'), 'EMBD and then nothing');
});

const models = [
  ...['amb/mistral-window.amb', 'alt/f32.alt', 'embd/f32.weights', 'embd/flat.weights', 'families/phi3-plain.gguf'],
  ...['tinyruntime/r18-plain-vanilla.bin', 'safetensors/kv-f32.safetensors'],
];

test.each([
  ['inspect STORY', () => ['inspect', story]],
  ...models.map((path) => [`inspect ${path}`, () => ['inspect', fixture(path)]]),
  ['validate', () => ['validate', embedder]],
  ['validate of a broken file', () => ['validate', scratch('bad.weights')]],
  ['tensor', () => ['tensor', embedder, 'embeddings.word_embeddings.weight', '--out', scratch('x.npy')]],
  [
    'convert',
    () => ['convert', embedder, '--to', 'weights', '--quantize', 'int8-row', '--verify', '--out', scratch('x.weights')],
  ],
  ['tokenize', () => ['tokenize', '--model', embedder, 'quick fox']],
  ['detokenize', () => ['detokenize', '--model', embedder, '5']],
  ['generate', () => ['generate', '--model', story, '--prompt', 'Once', '-n', '3', '--logprobs', '2']],
  ['logits', () => ['logits', '--model', story, '--ids', '1,2', '--out', scratch('l.npy')]],
  ['perplexity', () => ['perplexity', '--model', story, '--text', scratch('text.txt')]],
  ['perplexity --compare', () => ['perplexity', '--model', story, '--text', scratch('text.txt'), '--compare']],
  ['embed', () => ['embed', '--model', embedder, 'quick fox']],
  ['embed of lines', () => ['embed', '--model', embedder], '{"text": "fox"}\nbad\n'],
  ['embed into shards', () => ['embed', '--model', embedder, '--output-shards', scratch('shards')], 'fox\n'],
  ['search', () => ['search', '--model', embedder, '--corpus', scratch('corpus.txt'), 'fox']],
  ['classify', () => ['classify', fixture('images/gradient.png')]],
  ['images index', () => ['images', 'index', fixture('images'), '--model', clip, '--out', scratch('photos.qix')]],
  ['images search', () => ['images', 'search', scratch('photos.qix'), 'a dog', '--model', clip]],
  ['kv compress', () => ['kv', 'compress', cache, '--out', scratch('c.safetensors')]],
  [
    'kv decompress',
    () => ['kv', 'decompress', fixture('safetensors/kv-int4-packed.safetensors'), '--out', scratch('d.safetensors')],
  ],
  ['kv compare', () => ['kv', 'compare', cache, cache]],
  ['assets', () => ['assets', scratch('assets'), '--for', 'files']],
  ['bench', () => ['bench', '--model', embedder, '-t', '1', '--variant', 'baseline']],
])('%s', async (_, args, input = '') => {
  const { status, stdout } = await quintet([...args(), '--json'], { input });
  expect(status).toBeLessThan(2);
  const keys = keysOf(jsonLines(stdout));
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !/^[a-z][a-zA-Z0-9]*$/.test(key))).toEqual([]);
});
