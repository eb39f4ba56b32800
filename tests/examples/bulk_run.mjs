// A run of examples/bulk-embedding under test: a real Redis, real processes, and what one process makes of the same
// corpus.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LocalRun } from '../../examples/bulk-embedding/src/local_run.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bundled = readFileSync(`${root}models/corpus.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** JSON lines of the bundled passages' beginnings: short texts, so that chunks take a fraction of a second. */
export const shortLines = (count) =>
  Array.from({ length: count }, (_, i) => {
    const { id, text } = bundled[i % bundled.length];
    return JSON.stringify({ id: `${id}-${Math.floor(i / bundled.length)}`, text: `${text.slice(0, 120)} ${i}` });
  });

/** Indexes that one process has made, by the corpus and the options: many tests have the same ones. */
const singles = new Map();

/** Programs that a test starts; all of them end with the test. */
export class BulkRun {
  static async open(lines) {
    const run = new BulkRun();
    run.local = await LocalRun.open();
    run.corpus = join(run.local.folder, 'corpus.jsonl');
    writeFileSync(run.corpus, lines instanceof Uint8Array ? lines : `${lines.join('\n')}\n`);
    return run;
  }

  close() {
    return this.local.close();
  }

  get redis() {
    return this.local.redis;
  }

  path(name) {
    return join(this.local.folder, this.local.name, name);
  }

  async produce(args = []) {
    return end(
      this.local.start('produce', ['--corpus', this.corpus, '--chunk-size', '32', ...args], { stderr: 'pipe' }),
    );
  }

  /** Workers are taken for dead after a second. */
  work(args = []) {
    return new RunningWorker(this.local.start('work', ['--lock-ms', '1000', ...args], { stderr: 'pipe' }));
  }

  async collect(args = []) {
    return end(this.local.start('collect', args, { stderr: 'pipe' }));
  }

  shards() {
    return readdirSync(this.path('shards')).sort();
  }

  /**
   * The bytes of the index that the collector made, and of that which `quintet search` makes of the corpus in one
   * process.
   */
  indexes(args = []) {
    return { merged: readFileSync(this.path('index.safetensors')), single: this.#indexOfOneProcess(args) };
  }

  #indexOfOneProcess(args) {
    const key = createHash('sha256').update(readFileSync(this.corpus)).update(JSON.stringify(args)).digest('hex');
    if (!singles.has(key)) {
      const path = join(this.local.root, 'one-process.index');
      const search = ['search', '--corpus', this.corpus, '--lines', 'jsonl', '--index', path, ...args, 'a question'];
      const { stderr } = spawnSync(process.execPath, [`${root}dist/cli.js`, ...search], { encoding: 'utf8' });
      expect(stderr).toMatch(/saved/);
      singles.set(key, readFileSync(path));
    }
    return singles.get(key);
  }
}

/** The output of a program that has ended. */
async function end(child, onLine = () => {}) {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => (printed[name] += text));
  createInterface({ input: child.stdout }).on('line', onLine);
  const [status, signal] = await once(child, 'close');
  return { status, signal, ...printed };
}

/** A worker that prints an event per line. */
class RunningWorker {
  events = [];
  #child;
  #watchers = new Set();

  constructor(child) {
    this.#child = child;
    this.ended = end(child, (line) => this.#take(JSON.parse(line)));
  }

  /** The first event for which `wanted` is true, including past ones. */
  event(wanted) {
    const past = this.events.find(wanted);
    if (past) return Promise.resolve(past);
    return new Promise((resolve, reject) => {
      const watcher = (event) => {
        if (!wanted(event)) return;
        this.#watchers.delete(watcher);
        resolve(event);
      };
      this.#watchers.add(watcher);
      void this.ended.then(({ status, stderr }) =>
        reject(new Error(`the worker ended with status ${status}: ${stderr}`)),
      );
    });
  }

  /** Chunks that it began and did not finish. */
  unfinished() {
    const chunksOf = (name) => this.events.filter(({ event }) => event === name).map(({ chunk }) => chunk);
    const done = new Set(chunksOf('done'));
    return chunksOf('began').filter((chunk) => !done.has(chunk));
  }

  signal(name) {
    this.#child.kill(name);
    return this.ended;
  }

  #take(event) {
    this.events.push(event);
    for (const watcher of this.#watchers) watcher(event);
  }
}
