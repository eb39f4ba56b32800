// GNU parallel runs the unmodified embed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines, program, quintet, root, scratchFolder } from '../../helpers/quintet.mjs';
import { model } from '../golden_texts.mjs';
import { contentOf, namesIn, recordLines, recordsIn } from './shards.mjs';

const scratch = scratchFolder();
const BLOCK = '8k';
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const EMBED = `${quoted(process.execPath)} ${quoted(program)} embed --model ${quoted(model)} --threads 1 --lines jsonl`;

/** { status, stdout, stderr } of `parallel --pipe`, which gives each job a block of whole lines. */
async function parallel(options, command, input) {
  const env = { ...process.env, PARALLEL_HOME: scratch('parallel-home') };
  mkdirSync(env.PARALLEL_HOME, { recursive: true });
  const child = spawn('parallel', ['--pipe', '--block', BLOCK, '-j2', ...options, command], { cwd: root, env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, ...output };
}

const lines = recordLines(600);
const input = lines.join('');
const vectorsOf = (stdout) => jsonLines(stdout).map(({ id, embedding }) => [id, ...embedding]);

test('JSON lines in order, with the bits of one process', async () => {
  const one = await quintet(['embed', '--model', model, '--threads', '1'], { input });
  const { status, stdout, stderr } = await parallel(['-k', '--halt', 'now,fail=1'], EMBED, input);
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/quintet: /);
  expect(vectorsOf(stdout)).toEqual(vectorsOf(one.stdout));
});

test('a poison line: its error record stands in its place, and one job has failed', async () => {
  const poisoned = lines.with(300, '{"text": \n').join('');
  const { status, stdout, stderr } = await parallel(['-k'], EMBED, poisoned);
  const records = jsonLines(stdout);
  expect(records).toHaveLength(600);
  records.forEach(({ id, error }, i) =>
    expect(i === 300 ? error.message : id).toMatch(i === 300 ? /is not JSON/ : `r${i}`),
  );
  expect(stderr).toMatch(/quintet: 1 of \d+ lines could not be embedded/);
  expect(status).toBe(1);
});

test('bad lines do not fail jobs if the command allows them', async () => {
  const tolerant = `sh -c ${quoted(`${EMBED} || [ $? -eq 1 ]`)}`;
  const { status, stdout } = await parallel(
    ['-k', '--halt', 'now,fail=1'],
    tolerant,
    lines.with(300, '{"text": \n').join(''),
  );
  expect(status).toBe(0);
  expect(jsonLines(stdout)).toHaveLength(600);
  const failing = `sh -c ${quoted(`${EMBED} --model none || [ $? -eq 1 ]`)}`;
  expect((await parallel(['-k', '--halt', 'now,fail=1'], failing, input)).status).toBeGreaterThan(0);
});

describe('shards', () => {
  const run = (folder, options = [], text = input) =>
    parallel(options, `${EMBED} --output-shards ${quoted(scratch(folder))}/{#} --shard-size 40`, text);
  const jobsIn = (folder) => namesIn(scratch(folder)).sort((a, b) => a - b);
  const contentsOf = (folder) => jobsIn(folder).map((job) => contentOf(join(scratch(folder), job)));

  test('go into one folder per job; a second run makes missing ones', async () => {
    expect((await run('out')).status).toBe(0);
    const jobs = jobsIn('out');
    expect(jobs.length).toBeGreaterThan(3);
    expect(jobs.flatMap((job) => recordsIn(join(scratch('out'), job))).map(({ id }) => id)).toEqual(
      lines.map((_, i) => `r${i}`),
    );
    const complete = contentsOf('out');
    rmSync(join(scratch('out'), jobs[2]), { recursive: true });
    const again = await run('out', ['-k']);
    expect(again.status).toBe(0);
    const made = jsonLines(again.stdout).filter((line) => line.made);
    expect(made).toHaveLength(Object.keys(complete[2]).length);
    expect(contentsOf('out')).toEqual(complete);
  });

  test('are continued by --joblog and --resume-failed', async () => {
    const log = scratch('joblog');
    // A file where the folder of the second job should be.
    mkdirSync(scratch('resumed'));
    writeFileSync(scratch('resumed/2'), '');
    expect((await run('resumed', ['--joblog', log])).status).toBe(1);
    rmSync(scratch('resumed/2'));
    const second = await run('resumed', ['--joblog', log, '--resume-failed']);
    expect(second.status).toBe(0);
    expect(new Set(jsonLines(second.stdout).map(({ made }) => made))).toEqual(new Set([true]));
    expect(existsSync(scratch('resumed/2'))).toBe(true);
    expect(readFileSync(log, 'utf8').trim().split('\n').length).toBe(1 + jobsIn('resumed').length + 1);
    expect(contentsOf('resumed')).toEqual(contentsOf('out'));
  });
});
