// embed --output-shards: what is in the files, and what a second run does.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expectRefusal, fixture, jsonLines, quintet, root, scratchFolder } from '../../helpers/quintet.mjs';
import { expectVector, model, oneLiners } from '../golden_texts.mjs';
import { growthPerUnit, peakMemory, repeated } from './peak_memory.mjs';
import { contentOf, embedShards, namesIn, readShard, recordLines, recordsIn, shardLines } from './shards.mjs';

const scratch = scratchFolder();
const shardName = (i) => `shard-0000${i}.safetensors`;
const lines = recordLines(25, [3, 12, 13, 14, 15, 24]);
const input = lines.join('');
const made = shardFolder('made');

/** A separate folder with three shards of `input`. */
function shardFolder(name) {
  return {
    path: scratch(name),
    run: (text = input, ...args) => embedShards(scratch(name), text, '--shard-size', '10', ...args),
  };
}

describe('a run', () => {
  let run;
  beforeAll(async () => {
    run = await made.run();
  });

  test('reports each shard, and each bad line before it', () => {
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^quintet: 6 of 25 lines could not be embedded$/m);
    expect(jsonLines(run.stdout).map(({ shard, index }) => shard ?? `bad ${index}`)).toEqual([
      'bad 3',
      0,
      'bad 12',
      'bad 13',
      'bad 14',
      'bad 15',
      1,
      'bad 24',
      2,
    ]);
    expect(shardLines(run)).toEqual([
      { shard: 0, first: 0, records: 9, errors: 1, made: true },
      { shard: 1, first: 10, records: 6, errors: 4, made: true },
      { shard: 2, first: 20, records: 4, errors: 1, made: true },
    ]);
    expect(namesIn(made.path)).toEqual([0, 1, 2].map(shardName));
  });

  test('writes the vectors, and the fields of JSON lines next to them', async () => {
    const printed = jsonLines((await quintet(['embed', '--model', model], { input })).stdout);
    expect(recordsIn(made.path)).toEqual(
      printed.map(({ embedding, ...facts }) =>
        embedding ? { ...facts, embedding: embedding.map(Math.fround) } : facts,
      ),
    );
    const { records } = readShard(join(made.path, shardName(1)));
    records.forEach((record) => expectVector(record, oneLiners[Number(record.id.slice(1)) % oneLiners.length].vector));
  });

  test('records in each file what it was made from', () => {
    let offset = 0;
    const covered = createHash('sha256');
    lines.forEach((line, i) => {
      if (i >= 10 && i < 20) covered.update(`${i + 1} ${offset} ${line}`);
      offset += Buffer.byteLength(line);
    });
    expect(readShard(join(made.path, shardName(1))).metadata).toEqual({
      kind: 'quintet-embeddings',
      version: '1',
      dimension: '32',
      shard: '1',
      first: '10',
      cut: '0',
      lines: covered.digest('hex'),
      model: createHash('sha256').update(readFileSync(model)).digest('hex'),
      settings: '{"lines":"jsonl"}',
    });
  });

  test('that comes second makes nothing and reports the same', async () => {
    const before = contentOf(made.path);
    const times = namesIn(made.path).map((name) => statSync(join(made.path, name)).mtimeMs);
    const second = await made.run();
    expect(second).toMatchObject({ status: 1, stderr: run.stderr });
    expect(second.stdout).toBe(run.stdout.replaceAll('"made":true', '"made":false'));
    expect(contentOf(made.path)).toEqual(before);
    expect(namesIn(made.path).map((name) => statSync(join(made.path, name)).mtimeMs)).toEqual(times);
  });

  test('loads the model only if there is something to embed', async () => {
    // A copy of the program that has no engine.
    const dist = join(root, 'dist');
    mkdirSync(scratch('engineless'));
    writeFileSync(scratch('engineless/package.json'), '{"type": "module"}');
    for (const name of readdirSync(dist).filter((name) => name.endsWith('.js')))
      copyFileSync(join(dist, name), scratch(`engineless/${name}`));
    const engineless = (folder) =>
      quintet(['embed', '--model', model, '--output-shards', folder, '--shard-size', '10'], {
        input,
        file: scratch('engineless/cli.js'),
      });
    expect(await engineless(made.path)).toMatchObject({ status: 1, stderr: run.stderr });
    expect(await engineless(scratch('engineless/shards'))).toMatchObject({ status: 2, stdout: '' });
  });

  test('ignores blank lines and a missing newline at the end', async () => {
    expect(shardLines(await made.run(`${input}\n  \n`)).map((line) => line.made)).toEqual([false, false, false]);
    expect(shardLines(await made.run(input.slice(0, -1))).map((line) => line.made)).toEqual([false, false, false]);
  });

  test('makes missing shards', async () => {
    const { path, run: embed } = shardFolder('missing');
    await embed();
    rmSync(join(path, shardName(1)));
    expect(shardLines(await embed()).map((line) => line.made)).toEqual([false, true, false]);
    expect(contentOf(path)).toEqual(contentOf(made.path));
  });

  test('reports texts that were cut, even if it makes nothing', async () => {
    const note = '2 of 3 texts were too long and were cut\n';
    const text = `red\n${'fox dog '.repeat(9)}\n${'dog fox '.repeat(9)}\n`;
    const cut = () => embedShards(scratch('cut'), text, '--max-length', '8');
    expect(await cut()).toMatchObject({ status: 0, stderr: note });
    expect(await cut()).toMatchObject({ status: 0, stderr: note });
  });

  test('without a line makes a folder and no shard', async () => {
    expect(await embedShards(scratch('none/deeper'), '')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(namesIn(scratch('none/deeper'))).toEqual([]);
  });

  test('of a shard of bad lines alone has no rows', async () => {
    await embedShards(scratch('all-bad'), '{"\n{"\n');
    const { records, errors, metadata } = readShard(join(scratch('all-bad'), shardName(0)));
    expect({ records, errors: errors.length, dimension: metadata.dimension }).toEqual({
      records: [],
      errors: 2,
      dimension: '32',
    });
  });
});

describe('shards that were made of something else', () => {
  // The line keeps its length, so that what follows stays where it was.
  const changed = lines.with(17, lines[17].replace('r17', 'x17')).join('');

  test.each([
    ['other lines', changed, [], /shard-00001\.safetensors was made from other lines; --replace/],
    ['lines that stand elsewhere', `\n${input}`, [], /shard-00000\.safetensors was made from other lines/],
    [
      'another model',
      input,
      ['--model', fixture('embd/int8-row.weights')],
      /shard-00000\.safetensors was made with another model/,
    ],
    ['other options', input, ['--pooling', 'max'], /shard-00000\.safetensors was made with other options/],
    ['other fields', input, ['--id-field', 'id'], /made with other options/],
    ['instructions that were named', input, ['--variant', 'baseline'], /made with other options/],
    [
      'fewer lines',
      lines.slice(0, 20).join(''),
      [],
      /shard-00002\.safetensors is beyond the end of the input; --replace removes it/,
    ],
  ])('%s: rejected and left unchanged', async (_, text, args, pattern) => {
    const before = contentOf(made.path);
    const { status, stderr } = await made.run(text, ...args);
    expect(stderr).toMatch(/^quintet: [^\n]+\n$/);
    expect(stderr).toMatch(pattern);
    expect(status).toBe(2);
    expect(contentOf(made.path)).toEqual(before);
  });

  test('are made again with --replace, and only they', async () => {
    const { path, run } = shardFolder('replaced');
    await run();
    expect(shardLines(await run(changed, '--replace')).map((line) => line.made)).toEqual([false, true, false]);
    expect(recordsIn(path)[17]).toMatchObject({ index: 17, id: 'x17' });
    const fresh = shardFolder('fresh');
    await fresh.run(changed);
    expect(contentOf(path)).toEqual(contentOf(fresh.path));
  });

  test('beyond the end are removed with --replace, and no others', async () => {
    const { path, run } = shardFolder('longer');
    await run();
    const others = ['shard-00009.safetensors.bak', 'shard-0009.safetensors', 'shard-000009.safetensors', 'notes.txt'];
    for (const name of others) writeFileSync(join(path, name), 'mine');
    mkdirSync(join(path, 'shard-x'));
    expect((await run(lines.slice(0, 10).join(''))).stderr).toMatch(/beyond the end/);
    expect(await run(lines.slice(0, 10).join(''), '--replace')).toMatchObject({ status: 1 });
    expect(namesIn(path)).toEqual([...others, shardName(0), 'shard-x'].sort());
  });

  test.each([
    ['cut', (path) => truncateSync(path, 700)],
    ['empty', (path) => truncateSync(path, 0)],
    ['of another kind', (path) => writeFileSync(path, 'no shard at all')],
  ])('a file that is %s is rejected as broken, and made again with --replace', async (name, damage) => {
    const { path, run } = shardFolder(`broken-${name}`);
    await run();
    const file = join(path, shardName(1));
    damage(file);
    const damaged = readFileSync(file);
    const refused = await run();
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^quintet: .+shard-00001\.safetensors is broken .+--replace overwrites it\n$/),
    });
    expect(readFileSync(file)).toEqual(damaged);
    expect(shardLines(await run(input, '--replace')).map((line) => line.made)).toEqual([false, true, false]);
    expect(contentOf(path)).toEqual(contentOf(made.path));
  });
});

describe('usage', () => {
  test.each([
    [['--shard-size', '5'], /need --output-shards/],
    [['--replace'], /need --output-shards/],
    [['--output-shards', scratch('usage'), '--shard-size', '1000001'], /at most 1000000/],
    [['--output-shards', scratch('usage'), '--shard-size', '0'], /above zero/],
    [['--output-shards', scratch('usage'), 'a text'], /--output-shards is for lines of stdin/],
    [['--output-shards', scratch('usage'), '--model', '-'], /stdin cannot be both/],
  ])('%j is rejected', async (args, pattern) => {
    expectRefusal(await quintet(['embed', '--model', model, ...args]), pattern);
    expect(existsSync(scratch('usage'))).toBe(false);
  });

  test('a folder that cannot be created is one line', async () => {
    writeFileSync(scratch('file'), '');
    expectRefusal(await embedShards(scratch('file'), 'a\n'), /EEXIST/);
  });
});

test('memory does not grow with the number of shards', async () => {
  const args = (name) => ['embed', '--model', model, '--output-shards', scratch(name), '--shard-size', '1000'];
  const block = 'red fox\n'.repeat(1000);
  const growth = await growthPerUnit([20, 60, 100, 140], async (shards) => {
    const run = await peakMemory(args(`shards-${shards}`), repeated(block, shards), scratch(`peak-${shards}`));
    expect(run).toMatchObject({ status: 0, lines: shards });
    return run;
  });
  // A shard of 1000 vectors that is kept takes 250 KB and more.
  expect(growth).toBeLessThan(125_000);
});
