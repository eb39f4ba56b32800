// quintet serve in a separate process, and what tests send to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { embedder, storyteller } from '../../../../models/index.js';

const cli = fileURLToPath(new URL('../../../../dist/cli.js', import.meta.url));
export const story = fileURLToPath(storyteller);
export const vectors = fileURLToPath(embedder);

const servers = [];
export const killServers = () => Promise.all(servers.map(({ child, ended }) => (child.kill('SIGKILL'), ended)));

/** Starts a server at a free port, and waits until it listens. */
export async function serve(args, environment = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = { child, url: '', log: '', errors: '', ended: once(child, 'exit') };
  servers.push(server);
  child.stdout.on('data', (data) => (server.log += data));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      server.errors += data;
      server.url = /listening at (\S+)/.exec(server.errors)?.[1] ?? '';
      if (server.url) resolve();
    });
    server.ended.then(() => reject(new Error(server.errors)));
  });
  return server;
}

export const clientOf = ({ url }, options = {}) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0, ...options });

/**
 * Sends bytes as they are, and gives what comes back until the connection ends. `staysOpen`: the client does not end
 * it, so that the server takes its time.
 */
export async function raw({ url }, text, { staysOpen = false } = {}) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data));
  socket.on('error', () => {});
  if (staysOpen) socket.write(text);
  else socket.end(text);
  await once(socket, 'close');
  return answer;
}

export const post = ({ url }, path, body, headers = {}) =>
  fetch(url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });
