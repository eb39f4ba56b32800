// embed --output-shards that is interrupted, and that runs twice at once.
import { once } from 'node:events';
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { scratchFolder, start } from '../../helpers/quintet.mjs';
import { model } from '../golden_texts.mjs';
import { contentOf, embedShards, namesIn, readShard, recordLines, recordsIn, shardLines } from './shards.mjs';

const scratch = scratchFolder();
const SIZE = 20;
const lines = recordLines(95, [7, 40, 94]);
const input = lines.join('');
const undisturbed = scratch('undisturbed');

const embed = (folder, text = input) => embedShards(folder, text, '--shard-size', String(SIZE));

/** A run whose input stays open. */
function begin(folder) {
  const child = start(['embed', '--model', model, '--output-shards', folder, '--shard-size', String(SIZE)]);
  child.stdin.on('error', () => {});
  const stdout = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([status, signal]) => ({ status, signal, stderr }));
  return {
    child,
    ended,
    async shardTold(number) {
      for (;;) {
        const { value, done } = await stdout.next();
        if (done) throw new Error(`ended before shard ${number}: ${stderr}`);
        const line = JSON.parse(value);
        if (line.shard === number) return line;
      }
    },
  };
}

beforeAll(() => embed(undisturbed));

test('killed between shards, then run again: every record is there once, as if nothing had happened', async () => {
  const folder = scratch('killed');
  const { child, ended, shardTold } = begin(folder);
  child.stdin.write(lines.slice(0, 50).join(''));
  await shardTold(1);
  child.kill('SIGKILL');
  expect((await ended).signal).toBe('SIGKILL');
  expect(namesIn(folder)).toEqual(['shard-00000.safetensors', 'shard-00001.safetensors']);

  const second = await embed(folder);
  expect(second.status).toBe(1);
  expect(shardLines(second).map(({ made }) => made)).toEqual([false, false, true, true, true]);
  expect(contentOf(folder)).toEqual(contentOf(undisturbed));
  expect(recordsIn(folder).map(({ index, line }) => [index, line])).toEqual(lines.map((_, i) => [i, i + 1]));
});

test.each(['SIGTERM', 'SIGINT'])(
  '%s while a shard is written leaves whole shards and no temporary file',
  async (signal) => {
    const folder = scratch(signal);
    mkdirSync(folder);
    const { child, ended } = begin(folder);
    const watcher = watch(folder);
    child.stdin.write(input);
    const [, name] = await once(watcher, 'change');
    child.kill(signal);
    watcher.close();
    expect(name).toMatch(/^\.shard-00000\.safetensors\..+\.tmp$/);
    const { status } = await ended;
    expect(status).toBe(signal === 'SIGTERM' ? 143 : 130);
    const left = namesIn(folder);
    expect(left.filter((one) => !/^shard-\d{5}\.safetensors$/.test(one))).toEqual([]);
    for (const one of left) expect(readShard(join(folder, one)).records.length).toBeGreaterThan(0);
    await embed(folder);
    expect(contentOf(folder)).toEqual(contentOf(undisturbed));
  },
);

describe('a shard that appears while it is made', () => {
  /** A run that has read a part of its first shard, while another one made all of `text`. */
  async function overtaken(folder, text) {
    mkdirSync(folder);
    const slow = begin(folder);
    // Its first two shards are told: of the third, no file was there when it began.
    slow.child.stdin.write(lines.slice(0, 2 * SIZE + 5).join(''));
    await slow.shardTold(1);
    await embed(folder, text);
    slow.child.stdin.end(lines.slice(2 * SIZE + 5).join(''));
    return slow;
  }

  test('is kept if it is the same', async () => {
    const folder = scratch('speculative');
    const slow = await overtaken(folder, input);
    expect(await slow.shardTold(2)).toMatchObject({ made: false, records: 19, errors: 1 });
    expect((await slow.ended).status).toBe(1);
    expect(contentOf(folder)).toEqual(contentOf(undisturbed));
  });

  test('is left alone if it differs', async () => {
    const folder = scratch('collision');
    const other = lines.with(2 * SIZE + 6, lines[2 * SIZE + 6].replace('"id":"r', '"id":"s')).join('');
    const slow = await overtaken(folder, other);
    const { status, stderr } = await slow.ended;
    expect(stderr).toMatch(
      /^quintet: .+shard-00002\.safetensors was made from other lines; --replace overwrites it\n$/,
    );
    expect(status).toBe(2);
    expect(recordsIn(folder)[2 * SIZE + 6].id).toBe(`s${2 * SIZE + 6}`);
    expect(namesIn(folder)).toHaveLength(5);
  });
});

test('two runs of the same input at once make one folder', async () => {
  const folder = scratch('together');
  const runs = await Promise.all([embed(folder), embed(folder)]);
  expect(runs.map(({ status }) => status)).toEqual([1, 1]);
  expect(contentOf(folder)).toEqual(contentOf(undisturbed));
  const made = runs.map((run) => shardLines(run).map((line) => line.made));
  expect(made[0]).toHaveLength(5);
  made[0].forEach((_, i) => expect([made[0][i], made[1][i]].filter(Boolean)).toHaveLength(1));
});
