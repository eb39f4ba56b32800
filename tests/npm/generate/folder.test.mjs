// Text generators from the files of a Hugging Face folder: the weights of a fixture under the same names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextGenerator } from 'quintet';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { threads, withGenerator } from '../helpers/generator_fixtures.mjs';
import { folderCase, llamaFolder, shards } from '../helpers/models/llama_folder.mjs';
import { quintet } from '../helpers/quintet.mjs';
import { streamOf } from '../helpers/streams.mjs';

const { ids, rows, tolerance } = folderCase;
let files;
let folder;

beforeAll(async () => {
  files = await llamaFolder();
  folder = mkdtempSync(join(tmpdir(), 'quintet-folder-'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

const expectLogits = async (generator) =>
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);

describe.each(threads)('%s', (_, worker) => {
  test('by their names, in any order and of any kind', () => {
    const named = {
      [shards[1]]: streamOf(files[shards[1]], 777),
      [shards[0]]: new Blob([files[shards[0]]]),
      'model.safetensors.index.json': join(folder, 'model.safetensors.index.json'),
      'config.json': files['config.json'],
    };
    return withGenerator(named, { worker }, expectLogits);
  });

  test('by the path of the folder, or its URL', async () => {
    await withGenerator(folder, { worker }, expectLogits);
    await withGenerator(pathToFileURL(folder), { worker }, expectLogits);
  });

  test('missing and extra files are named', async () => {
    const without = { ...files };
    delete without[shards[1]];
    expect((await failureOf(TextGenerator.load(without, { worker }))).code).toMatch(/FORMAT|INPUT/);
    expect((await failureOf(TextGenerator.load({ ...files, 'config.json': new Uint8Array(3) }, { worker }))).code).toBe(
      'FORMAT',
    );
    const integrity = `sha256-${'A'.repeat(43)}=`;
    expect(await failureOf(TextGenerator.load(files, { worker, integrity }))).toMatchObject({ code: 'INPUT' });
    expect((await failureOf(TextGenerator.load(mkdtempSync(join(folder, 'empty-')), { worker }))).code).toBe('INPUT');
  });
});

test('the command line takes a folder', async () => {
  const { stdout } = await quintet(['logits', '--model', folder, '--ids', ids.join()]);
  expect(distance(JSON.parse(stdout).logits, rows.at(-1))).toBeLessThan(1e-3);
});
