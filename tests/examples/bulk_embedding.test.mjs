// examples/bulk-embedding on a real Redis: despite any mishap on the way, every passage is in the index exactly once,
// and the index has the bytes of the one that a single process makes.
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SearchIndex } from 'quintet';
import { BulkRun, shortLines } from './bulk_run.mjs';

let run;
afterEach(() => run.close());

async function expectTheIndexOfOneProcess(passages) {
  const { merged, single } = run.indexes();
  expect(Buffer.compare(merged, single)).toBe(0);
  expect((await SearchIndex.load(merged)).size).toBe(passages);
}

const jsonLines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const isDone = ({ event }) => event === 'done';
const hasBegun = ({ event }) => event === 'began';

// Enough for both, even if one starts late.
test('two workers make the same index as one process, and stop on request', async () => {
  run = await BulkRun.open(shortLines(500));
  expect(await run.produce()).toMatchObject({ status: 0, stdout: '500 lines in 16 jobs\n', stderr: '' });
  const workers = [run.work(), run.work()];
  const { status, stdout } = await run.collect();
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ passages: 500, badLines: 0, setAside: 0 });
  for (const worker of workers) {
    expect(await worker.signal('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
    expect(worker.events.filter(isDone).length).toBeGreaterThan(0);
    expect(worker.unfinished()).toEqual([]);
  }
  await expectTheIndexOfOneProcess(500);
});

test('quantized, with a prompt: the index is that of quintet search with the same options', async () => {
  run = await BulkRun.open(shortLines(64));
  const model = ['--model', fileURLToPath(new URL('../fixtures/embd/f32.weights', import.meta.url))];
  const use = ['--quantize', 'int8', '--prompt', 'passage: '];
  expect((await run.produce([...model, ...use])).status).toBe(0);
  run.work(model);
  expect((await run.collect()).status).toBe(0);
  const { merged, single } = run.indexes([...model, '--quantize', 'int8', '--passage-prompt', 'passage: ']);
  expect(Buffer.compare(merged, single)).toBe(0);
});

test('a model in a folder', async () => {
  run = await BulkRun.open(shortLines(64));
  const model = ['--model', fileURLToPath(new URL('../fixtures/encoders/bert-xlmr-mean', import.meta.url))];
  expect((await run.produce(model)).status).toBe(0);
  run.work(model);
  expect((await run.collect()).status).toBe(0);
  const { merged, single } = run.indexes(model);
  expect(Buffer.compare(merged, single)).toBe(0);
});

test('a worker that is killed in mid-job: another one does its jobs', async () => {
  run = await BulkRun.open(shortLines(240));
  await run.produce();
  const victim = run.work();
  await victim.event(isDone);
  const { chunk } = await victim.event((event) => hasBegun(event) && victim.unfinished().includes(event.chunk));
  expect(await victim.signal('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  expect(victim.unfinished()).toContain(chunk);
  const heir = run.work();
  expect((await run.collect()).status).toBe(0);
  expect(heir.events.filter(isDone).map((event) => event.chunk)).toEqual(expect.arrayContaining(victim.unfinished()));
  await expectTheIndexOfOneProcess(240);
});

test.each(['SIGTERM', 'SIGKILL'])('Redis is ended by %s and started again in mid-run', async (signal) => {
  run = await BulkRun.open(shortLines(240));
  await run.produce();
  const worker = run.work();
  const collected = run.collect();
  await worker.event(isDone);
  const { chunk } = await worker.event((event) => hasBegun(event) && worker.unfinished().includes(event.chunk));
  await run.redis.stop(signal);
  // Jobs that have begun continue without Redis, and are reported when it is back.
  await worker.event((event) => isDone(event) && event.chunk === chunk);
  await run.redis.start();
  expect((await collected).status).toBe(0);
  expect(worker.unfinished()).toEqual([]);
  await expectTheIndexOfOneProcess(240);
});

test('two producers of the same corpus, and a third one later: no job is duplicated', async () => {
  run = await BulkRun.open(shortLines(240));
  const produced = await Promise.all([run.produce(), run.produce()]);
  expect(produced.map(({ status }) => status)).toEqual([0, 0]);
  const worker = run.work();
  await worker.event(isDone);
  expect((await run.produce()).status).toBe(0);
  expect((await run.collect()).status).toBe(0);
  const done = worker.events.filter(isDone).map(({ chunk }) => chunk);
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, i) => i));
  await expectTheIndexOfOneProcess(240);
});

describe('poison', () => {
  test('lines without a text are reported by number; all others are in the index', async () => {
    const lines = shortLines(200).map((line) => Buffer.from(line));
    lines.splice(20, 0, Buffer.from('{"text": '));
    lines.splice(40, 0, Buffer.from('{"id": 7}'));
    lines.splice(60, 0, Buffer.from('{"text": "\xff"}', 'latin1'), Buffer.from(''), Buffer.from('[]'));
    lines.splice(80, 0, Buffer.from('{"id": 9007199254740993, "text": "an id that would change"}'));
    lines.splice(100, 0, Buffer.from(`{"text": "${'long '.repeat(4e6)}"}`), Buffer.from(`\ufeff${lines[0]}`));
    lines[0] = Buffer.from(`\ufeff${lines[0]}`);
    run = await BulkRun.open(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]).slice(0, -1)));
    await run.produce();
    run.work();
    const { status, stdout } = await run.collect();
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 1, passages: 200, badLines: 7, setAside: 0 });
    const errors = jsonLines(run.path('errors.jsonl'));
    expect(errors.map(({ line }) => line)).toEqual([21, 41, 61, 63, 81, 101, 102]);
    const starts = lines.map((_, i) => Buffer.concat(lines.slice(0, i)).length + i);
    expect(errors.map(({ offset }) => offset)).toEqual(errors.map(({ line }) => starts[line - 1]));
    await expectTheIndexOfOneProcess(200);
  });

  test('a job that fails at every attempt is set aside with its reason; it can be retried', async () => {
    const lines = shortLines(200);
    run = await BulkRun.open(lines);
    await run.produce(['--attempts', '2', '--backoff-ms', '50']);
    const changed = [...lines];
    changed[70] = changed[70].replace(/[a-z]/, 'X');
    writeFileSync(run.corpus, `${changed.join('\n')}\n`);
    const worker = run.work();
    const { status, stdout } = await run.collect();
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 1, passages: 168, setAside: 1 });
    expect(jsonLines(run.path('set-aside.jsonl'))).toEqual([
      {
        chunk: 2,
        firstLine: 65,
        lastLine: 96,
        attempts: 2,
        reason: 'the corpus has changed since the producer read it',
      },
    ]);
    expect(worker.events.filter(({ event }) => event === 'set aside')).toMatchObject([{ chunk: 2, attempt: 2 }]);
    expect((await SearchIndex.load(run.path('index.safetensors'))).size).toBe(168);

    writeFileSync(run.corpus, `${lines.join('\n')}\n`);
    expect((await run.produce(['--retry'])).status).toBe(0);
    expect((await run.collect()).status).toBe(0);
    await expectTheIndexOfOneProcess(200);
  });

  test('a job whose workers all die is set aside', async () => {
    run = await BulkRun.open(shortLines(20));
    await run.produce();
    for (let deaths = 0; deaths < 4; ++deaths) {
      const worker = run.work();
      await worker.event(hasBegun);
      await worker.signal('SIGKILL');
    }
    const survivor = run.work();
    const { status, stderr } = await run.collect();
    expect(status).toBe(2);
    expect(stderr).toMatch(/no chunk was embedded; see set-aside.jsonl for the reasons\n$/);
    expect(survivor.events.filter(hasBegun)).toEqual([]);
    expect(jsonLines(run.path('set-aside.jsonl'))).toMatchObject([
      { chunk: 0, reason: expect.stringContaining('stalled') },
    ]);
  });

  test('a job that is not a chunk of the run is set aside, and does no harm', async () => {
    run = await BulkRun.open(shortLines(64));
    await run.produce();
    const { openQueue } = await import('../../examples/bulk-embedding/src/queue.mjs');
    const queue = openQueue(run.local, run.redis.url);
    await queue.add('embed', { chunk: '../../etc', start: -1 });
    await queue.close();
    const worker = run.work();
    await worker.event(({ event }) => event === 'set aside');
    expect((await run.collect()).status).toBe(0);
    await expectTheIndexOfOneProcess(64);
  });
});

test('a corpus that is missing for a while: the jobs are retried', async () => {
  run = await BulkRun.open(shortLines(64));
  await run.produce(['--backoff-ms', '50']);
  renameSync(run.corpus, `${run.corpus}.away`);
  const worker = run.work();
  const { chunk } = await worker.event(({ event }) => event === 'failed');
  renameSync(`${run.corpus}.away`, run.corpus);
  expect((await run.collect()).status).toBe(0);
  expect(worker.events.filter((event) => isDone(event) && event.chunk === chunk)).toHaveLength(1);
  await expectTheIndexOfOneProcess(64);
});

test('complete files in the folder are not computed again, incomplete ones are', async () => {
  run = await BulkRun.open(shortLines(100));
  await run.produce();
  run.work();
  expect((await run.collect()).status).toBe(0);
  const shards = run.shards().map((name) => run.path(`shards/${name}`));
  expect(shards).toHaveLength(4);
  writeFileSync(shards[1], readFileSync(shards[1]).subarray(0, 500));
  const before = shards.map((path) => statSync(path).ino);
  await run.produce();
  expect((await run.collect()).status).toBe(0);
  const changed = shards.filter((path, i) => statSync(path).ino !== before[i]);
  expect(changed).toEqual([shards[1]]);
  await expectTheIndexOfOneProcess(100);
});

test('SIGTERM in mid-job: jobs that have begun are finished, and no others', async () => {
  run = await BulkRun.open(shortLines(240));
  await run.produce();
  const worker = run.work();
  await worker.event(hasBegun);
  expect(await worker.signal('SIGTERM')).toMatchObject({ status: 0, signal: null });
  expect(worker.unfinished()).toEqual([]);
  const done = worker.events.filter(isDone).length;
  expect(done).toBeLessThan(8);
  expect(run.shards().filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(run.shards()).toHaveLength(done);
});

describe('mistakes, with one line and status 2', () => {
  test.each([
    [
      'another corpus under the name of a run',
      (lines) => appendFileSync(lines, '{"text": "more"}\n'),
      [],
      /started with a different sha256/,
    ],
    ['another chunk size', () => {}, ['--chunk-size', '16'], /started with a different chunks/],
    ['no chunk size', () => {}, ['--chunk-size', '0'], /--chunk-size takes a whole number above zero/],
    ['a corpus outside of the folder', () => {}, ['--corpus', '/etc/hostname'], /not in the shared folder/],
    ['no corpus', () => {}, ['--corpus', 'none.jsonl'], /none\.jsonl/],
    ['an unknown option', () => {}, ['--size', '1'], /Unknown option/],
  ])('%s', async (_, change, args, message) => {
    run = await BulkRun.open(shortLines(40));
    expect((await run.produce()).status).toBe(0);
    change(run.corpus);
    const { status, stdout, stderr } = await run.produce(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a worker with another model', async () => {
    run = await BulkRun.open(shortLines(40));
    await run.produce();
    const model = new URL('../fixtures/embd/f32.weights', import.meta.url).pathname;
    const { status, stderr } = await run.work(['--model', model]).ended;
    expect({ status, stderr }).toEqual({ status: 2, stderr: `${model} is not the model of run 'run'\n` });
  });

  test('a collector without a run, and one whose jobs are lost', async () => {
    run = await BulkRun.open(shortLines(40));
    expect(await run.collect(['--patience-s', '1'])).toMatchObject({
      status: 2,
      stderr: "no producer has started run 'run'\n",
    });
    await run.produce();
    await run.redis.stop('SIGKILL');
    const { RedisServer } = await import('../../examples/bulk-embedding/src/redis_server.mjs');
    run.local.redis = await RedisServer.start(run.local.folder);
    const { status, stderr } = await run.collect(['--patience-s', '1']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/2 chunks have neither a shard nor a job: run the producer again\n$/);
  });
});
