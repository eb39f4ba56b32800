// The installed packages in workers of the user's own: dedicated, shared and service workers, and behind a service
// worker that answers without a network.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, firefox, pagesIn, webKitWithSharedMemory } from '../browser/pages.mjs';
import { runtimeIn } from '../browser/runtimes.mjs';
import { expectRight, texts } from './golden.mjs';
import { installInEmptyProject } from './packed.mjs';
import { installed, siteWithoutBundler } from './sites.mjs';
import { serve } from './static_server.mjs';

const requests = { embed: { job: 'embed', texts }, generate: { job: 'generate' }, classify: { job: 'classify' } };

const worker = (entry, listening) => `
import * as quintet from '${installed.quintet}${entry}';
import * as models from '${installed.models}';
import { answerOf, download, jobsOf } from './jobs.js';
const jobs = jobsOf(quintet, models, download);
const answer = async ({ data, ports: [port] }) => port.postMessage(await answerOf(jobs, data));
${listening}
`;
const serviceWorker = `
self.onmessage = answer;
self.oninstall = () => self.skipWaiting();
`;
const scripts = {
  'dedicated.js': worker('index.js', 'self.onmessage = answer;'),
  'shared.js': worker('index.js', 'self.onconnect = ({ ports: [port] }) => void (port.onmessage = answer);'),
  'service.js': worker('service_worker.js', serviceWorker),
  'service_lazy.js': worker('index.js', serviceWorker),
};

let project;
let folder;
beforeAll(() => {
  project = installInEmptyProject();
  folder = siteWithoutBundler(project.folder);
  for (const [name, script] of Object.entries(scripts)) writeFileSync(join(folder, name), script);
});
afterAll(() => project?.remove());

/**
 * Sends a request to a worker and returns the answer, or undefined if there is none for `patience` ms, if that is
 * given; runs on the page.
 */
async function askWorker(kind, script, request, patience) {
  const start = {
    dedicated: () => new Worker(script, { type: 'module' }),
    shared: () => new SharedWorker(script, { type: 'module' }).port,
    async service() {
      const { installing, waiting, active } = await navigator.serviceWorker.register(script, {
        type: 'module',
        scope: script,
      });
      return installing ?? waiting ?? active;
    },
  };
  globalThis.workers ??= {};
  const target = await (globalThis.workers[script] ??= start[kind]());
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    target.onerror = (event) => reject(new Error(event.message));
    if (patience) setTimeout(resolve, patience);
    port1.onmessage = ({ data }) => resolve(data);
    target.postMessage(request, [port2]);
  });
}

describe.each([chromium, firefox, webKitWithSharedMemory])('%s', (name, launchBrowser) => {
  const fastest = runtimeIn(name);
  let server;
  beforeEach(async () => {
    server = await serve(folder, { isolated: true });
  });
  const pages = pagesIn(launchBrowser, () => `${server.url}index.html`);
  const isReady = () => pages.current.waitForFunction(() => 'answer' in globalThis);
  beforeEach(isReady);
  afterEach(async () => {
    await server.close();
    expect(server.violations).toEqual([]);
  });

  async function openAgain() {
    await pages.current.goto(`${server.url}index.html`);
    await isReady();
  }

  // Firefox under WebDriver sometimes hangs when a worker starts a worker (npm/src/worker/loading.ts), and here the
  // user's own worker does. Another page then asks again.
  const [attempts, patience] = name === 'Firefox' ? [3, 60_000] : [1, undefined];
  async function ask(kind, script, request) {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const answer = await pages.current.evaluate(askWorker, kind, script, request, patience);
      if (answer !== undefined) return answer;
      await pages.current.close();
      pages.current = await pages.open();
      await isReady();
    }
    throw new Error(`no answer from ${script}`);
  }

  test("a page's own worker has everything, threads included", async () => {
    // In Firefox each thread would be one more worker that a worker starts.
    const threads = name === 'Firefox' ? 1 : 2;
    for (const [job, request] of Object.entries(requests)) {
      const answer = await ask('dedicated', 'dedicated.js', { ...request, threads });
      expectRight[job](answer);
      expect(answer.runtime).toMatchObject({ ...fastest, worker: true, threads });
    }
  });

  test('a shared worker has everything, and says what it lacks', async () => {
    for (const [job, request] of Object.entries(requests)) {
      const answer = await ask('shared', 'shared.js', request);
      expectRight[job](answer);
      const { worker, fallbacks } = answer.runtime;
      // Chromium and WebKit have no workers in shared ones.
      expect(worker).toBe(name === 'Firefox');
      expect(fallbacks.some(({ code }) => code === 'no_worker')).toBe(!worker);
    }
  });

  test('a service worker has everything in one thread, through its own entry', async () => {
    for (const [job, request] of Object.entries(requests)) {
      const answer = await ask('service', 'service.js', request);
      expectRight[job](answer);
      expect(answer.runtime).toMatchObject({
        ...fastest,
        worker: false,
        fallbacks: expect.arrayContaining(fastest.fallbacks),
      });
    }
    expectRight.convert(await ask('service', 'service.js', { job: 'convert' }));
  });

  test('a service worker with the entry for pages is referred to its own', async () => {
    const { failure } = await ask('service', 'service_lazy.js', requests.embed);
    expect(failure).toMatch(/^QuintetError UNSUPPORTED: .*'quintet\/service-worker'/);
  });

  test('a page works offline if a service worker keeps what it has loaded', async () => {
    const answers = async () => {
      const found = {};
      for (const [job, request] of Object.entries(requests)) {
        found[job] = await pages.current.evaluate((request) => globalThis.answer(request), { ...request, threads: 2 });
        expectRight[job](found[job]);
      }
      return found;
    };
    await pages.current.evaluate(async () => {
      await navigator.serviceWorker.register('./offline.js');
      await navigator.serviceWorker.ready;
    });
    await openAgain();
    const online = await answers();
    await server.close();
    await openAgain();
    expect(await answers()).toEqual(online);
    expect(online.embed.runtime).toMatchObject({ worker: true, threads: 2 });
  });
});
