// The programs in docs/pipes.md and docs/bulk-embedding.md do what they say.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SearchIndex } from 'quintet';
import { fixture, quintet, root, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const model = fixture('embd/f32.weights');
const words = ['red fox', 'quick brown fox', 'the lazy dog', 'a dog jumps', 'over the fox'];

const [shardReader] = programsOf('docs/pipes.md');
const [merger] = programsOf('docs/bulk-embedding.md');

function programsOf(path) {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
}

/** Runs a program in a folder where the package is installed. */
function run(program, folder) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/quintet'));
  writeFileSync(join(folder, 'program.mjs'), program);
  const { status, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return SearchIndex.load(join(folder, 'index.safetensors'));
}

test('shards become an index that has every record under its id', async () => {
  const folder = scratch('shards');
  mkdirSync(folder);
  const input = words.map((text, i) => JSON.stringify({ id: `id ${i}`, text })).join('\n');
  const shards = ['--output-shards', join(folder, 'vectors'), '--shard-size', '2'];
  expect((await quintet(['embed', '--model', model, ...shards], { input })).status).toBe(0);
  const index = await run(shardReader, folder);
  expect(index.size).toBe(words.length);
  const { stdout } = await quintet(['embed', '--model', model, words[3]]);
  const [best] = index.nearest(Float32Array.from(JSON.parse(stdout).embedding));
  expect(best.id).toBe('id 3');
  expect(best.score).toBeCloseTo(1, 2);
});

test('saved indexes become one', async () => {
  const folder = scratch('indexes');
  mkdirSync(folder);
  for (const part of [0, 1]) {
    const index = new SearchIndex({ dimension: 2 });
    index.add({ id: `from ${part}`, vector: Float32Array.of(1 - part, part) });
    writeFileSync(join(folder, `part-${part}.safetensors`), await index.save());
  }
  const index = await run(merger, folder);
  expect(index.nearest(Float32Array.of(0, 1)).map(({ id }) => id)).toEqual(['from 1', 'from 0']);
});
