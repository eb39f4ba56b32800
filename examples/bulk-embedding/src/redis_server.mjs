// A private Redis on a free port of this machine, with an append-only file, so that a restart loses nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const maxTries = 5;

export class RedisServer {
  #child;

  constructor(port, folder) {
    this.port = port;
    this.folder = folder;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts a server on a free port, with its data in `folder`. */
  static async start(folder) {
    for (let tries = 1; ; ++tries) {
      const server = new RedisServer(await freePort(), folder);
      try {
        await server.start();
        return server;
      } catch (error) {
        // Another program may have taken the port meanwhile.
        if (tries === maxTries || error.cause) throw error;
      }
    }
  }

  /** Starts the server; after `stop` it has its data again. */
  async start() {
    const args = [
      ...['--port', this.port, '--bind', '127.0.0.1', '--dir', this.folder],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    ];
    this.#child = spawn('redis-server', args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([ready(this.#child), ended(this.#child)]);
  }

  /** SIGTERM lets it save its data; SIGKILL does not. */
  async stop(signal = 'SIGTERM') {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}

async function ready(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Ready to accept connections')) continue;
    // The log would fill the pipe.
    child.stdout.resume();
    return;
  }
  // The server has exited, which `ended` reports.
  await new Promise(() => {});
}

async function ended(child) {
  const [status] = await once(child, 'exit').catch((error) => {
    throw new Error(`cannot start redis-server (on Debian: apt install redis-server): ${error.message}`, {
      cause: error,
    });
  });
  throw new Error(`redis-server ended with status ${status}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
