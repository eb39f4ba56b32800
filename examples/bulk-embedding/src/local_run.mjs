// A whole run on this machine: Redis, a shared folder, and a process for each program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RedisServer } from './redis_server.mjs';

export class LocalRun {
  name = 'run';
  #node;
  #children = new Set();

  constructor(root, redis, node) {
    this.root = root;
    this.redis = redis;
    this.#node = node;
  }

  /** Everything is in a temporary folder, which `close` removes. `node`: the executable for the programs. */
  static async open({ node = process.execPath } = {}) {
    const root = await mkdtemp(join(tmpdir(), 'quintet-bulk-'));
    try {
      await Promise.all(['shared', 'redis'].map((folder) => mkdir(join(root, folder))));
      return new LocalRun(root, await RedisServer.start(join(root, 'redis')), node);
    } catch (error) {
      await rm(root, { recursive: true });
      throw error;
    }
  }

  get folder() {
    return join(this.root, 'shared');
  }

  /** Starts produce.mjs, work.mjs or collect.mjs. */
  start(program, args = [], { stderr = 'inherit' } = {}) {
    const path = fileURLToPath(new URL(`./${program}.mjs`, import.meta.url));
    const common = ['--folder', this.folder, '--run', this.name, '--redis', this.redis.url];
    const child = spawn(this.#node, [path, ...common, ...args], { stdio: ['ignore', 'pipe', stderr] });
    this.#children.add(child);
    child.on('close', () => this.#children.delete(child));
    return child;
  }

  /** Runs a program until it ends. @returns {Promise<{ status: number | null, stdout: string }>} */
  async run(program, args, options) {
    const child = this.start(program, args, options);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    const [status] = await once(child, 'close');
    return { status, stdout };
  }

  async close() {
    const ended = [...this.#children].map((child) => once(child, 'close'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ended);
    await this.redis.stop('SIGKILL');
    await rm(this.root, { recursive: true });
  }
}
