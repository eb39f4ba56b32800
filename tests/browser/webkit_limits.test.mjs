// Features that WebKitGTK lacks, and what the package does instead: docs/browsers.md lists them.

import { runOn } from './browsers.mjs';
import { serveFaults } from './fault_server.mjs';
import { pagesIn, webKit } from './pages.mjs';
import { runtimeIn } from './runtimes.mjs';

const [name, launch] = webKit;
const story = '/models/stories260k.amb';

let server;
beforeAll(async () => {
  server = await serveFaults();
});
afterAll(() => server?.close());
const pages = pagesIn(launch, () => `${server.url}isolated.html`);

/** The runtime of a text generator loaded with these options, or its error. */
const load = (options) =>
  runOn(
    pages.current,
    ({ TextGenerator }, { story, options }) =>
      TextGenerator.load(story, options).then(
        ({ info }) => info.runtime,
        ({ code, message }) => ({ code, message }),
      ),
    { story, options },
  );

test('without SharedArrayBuffer, models use one thread even on an isolated page', async () => {
  const noSharing = 'memory cannot be shared here; this browser has no SharedArrayBuffer';
  const { fallbacks, ...usual } = runtimeIn(name);
  expect(await load({})).toEqual({
    ...usual,
    worker: true,
    fallbacks: [...fallbacks, { code: 'one_thread', message: `one thread: ${noSharing}` }],
  });
  expect(await load({ threads: 2 })).toEqual({ code: 'UNSUPPORTED', message: `2 threads: ${noSharing}` });
  expect(await runOn(pages.current, ({ capabilities }) => capabilities())).toMatchObject({
    crossOriginIsolated: true,
    simd: true,
    relaxedSimd: false,
    threads: false,
    memory64: false,
  });
});

test('without relaxed SIMD, the relaxed variant is rejected', async () => {
  const failure = await load({ variant: 'relaxed' });
  expect(failure).toEqual({ code: 'UNSUPPORTED', message: expect.stringContaining('no relaxed SIMD') });
});

test('without 64-bit memory, the option is rejected and so are models that need it', async () => {
  expect(await load({ memory64: true })).toEqual({ code: 'UNSUPPORTED', message: 'this engine has no 64-bit memory' });
  const failure = await runOn(pages.current, async ({ TextGenerator }) => {
    const { largeResponse } = await import('/tests/npm/helpers/models/large_amb.mjs');
    return TextGenerator.load(largeResponse()).catch(({ code, message }) => ({ code, message }));
  });
  expect(failure).toEqual({ code: 'MEMORY', message: expect.stringMatching(/: this engine has no 64-bit memory$/) });
});

test('there is no storage manager, so a page cannot ask for persistent storage', async () => {
  expect(await pages.current.evaluate('typeof navigator.storage')).toBe('undefined');
});
