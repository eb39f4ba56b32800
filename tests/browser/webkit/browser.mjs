// WebKitGTK without a screen: MiniBrowser on a virtual X server, driven by WebKitWebDriver.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { WebKitPage } from './page.mjs';
import { isReady, WebDriverSession } from './webdriver.mjs';
import { workerThreads } from './worker_threads.mjs';

/** Returns { version, newPage(), close() }. `environment` has further environment variables for the browser. */
export async function launchWebKit(environment = {}) {
  const processes = [];
  try {
    const display = await startDisplay(processes);
    const { address, driver } = await startDriver(processes, {
      ...process.env,
      GDK_BACKEND: 'x11',
      DISPLAY: display,
      ...environment,
    });
    const session = await WebDriverSession.start(address);
    const first = await session.command('GET', '/window');
    return {
      version: session.capabilities.browserVersion,
      async newPage() {
        // Windows instead of tabs, since timers are throttled in hidden tabs.
        const { handle } = await session.commandIn(first, 'POST', '/window/new', { type: 'window' });
        return new WebKitPage(session, handle, () => workerThreads(driver.pid));
      },
      async close() {
        await session.command('DELETE', '').finally(() => end(processes));
      },
    };
  } catch (error) {
    await end(processes);
    throw error;
  }
}

/** A process that the kernel kills when this one ends, even by a signal. `failure` rejects when it exits. */
function start(command, args, options = {}) {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  child.stdout.resume();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const failure = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${command} ended: ${said}`)));
  });
  failure.catch(() => {});
  return { child, failure };
}

async function end(processes) {
  for (const child of processes.reverse()) {
    // Never started, or already exited.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
}

/** Xvfb picks a free display and prints its number. */
async function startDisplay(processes) {
  const { child, failure } = start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp']);
  processes.push(child);
  const [number] = await Promise.race([once(child.stdout, 'data'), failure]);
  return `:${String(number).trim()}`;
}

async function startDriver(processes, env) {
  const port = await freePort();
  const { child, failure } = start('WebKitWebDriver', [`--port=${port}`], { env });
  processes.push(child);
  const address = `http://127.0.0.1:${port}/`;
  while (!(await Promise.race([isReady(address), failure])));
  return { address, driver: child };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
