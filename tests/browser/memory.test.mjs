// Memory is given back, by workers and by the page: whole browsers are watched.
import { readFileSync } from 'node:fs';
import { launch, runOn, serve } from './browsers.mjs';
import { pagesIn, untilWorkers } from './pages.mjs';

const embeds = '/tests/fixtures/embd/f32.weights';
const generates = '/tests/fixtures/amb/small.amb';
const megabyte = 1 << 20;

let server;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server?.close());
const pages = pagesIn(
  () => launch('--js-flags=--expose-gc'),
  () => `${server.url}page.html`,
);

/** Resident bytes of all processes that draw pages. */
async function residentBytes() {
  const session = await pages.current.browser().target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.reduce((sum, { id }) => {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'));
    return sum + kilobytes * 1024;
  }, 0);
}

/** Loads a model, uses and closes it, over and over. */
const cycle = async ({ Embedder, TextGenerator, capabilities }, { embeds, generates, worker, times }) => {
  for (let i = 0; i < times; ++i) {
    const embedder = await Embedder.load(embeds, { worker });
    await embedder.embed('one text');
    embedder.close();
    if (i % 5) continue;
    const generator = await TextGenerator.load(generates, { worker });
    await generator.logits([1, 2, 3]);
    generator.close();
  }
  globalThis.gc();
  const { heapBytes, liveObjects } = capabilities().memory;
  // Workers that are still ending hold theirs: each can be had when its worker has ended.
  const { held } = await navigator.locks.query();
  await Promise.all(held.map(({ name }) => navigator.locks.request(name, () => {})));
  const left = await navigator.locks.query();
  return { heapBytes, liveObjects, locks: left.pending.length + left.held.length };
};

test.each([true, false])(
  'loading and closing a hundred times takes no more memory than a few times (worker: %s)',
  async (worker) => {
    const run = (times) => runOn(pages.current, cycle, { embeds, generates, worker, times });
    const few = await run(20);
    const before = await residentBytes();
    const many = await run(100);
    const grown = (await residentBytes()) - before;
    expect(many.heapBytes).toBe(few.heapBytes);
    expect(many.liveObjects).toBe(0);
    expect(many.locks).toBe(0);
    // One worker's memory is more than 10 MB.
    expect(grown).toBeLessThan(40 * megabyte);
    await untilWorkers(pages.current, 0);
  },
);

test('a model without references is freed, and its worker ends', async () => {
  const ended = new Promise((resolve) => pages.current.once('workerdestroyed', resolve));
  const live = await runOn(
    pages.current,
    async ({ Embedder, capabilities }, model) => {
      const use = async (worker) => void (await (await Embedder.load(model, { worker })).embed('a'));
      await use(true);
      await use(false);
      const live = [capabilities().memory.liveObjects];
      for (let i = 0; i < 500 && capabilities().memory.liveObjects > 0; ++i) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve));
      }
      return [...live, capabilities().memory.liveObjects];
    },
    embeds,
  );
  expect(live).toEqual([1, 0]);
  await ended;
  expect(pages.current.workers()).toHaveLength(0);
});

async function workerTargets() {
  const session = await pages.current.browser().target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  await session.detach();
  return targetInfos.filter(({ type }) => type === 'worker');
}

test('workers end with their tab', async () => {
  const tab = await pages.open();
  await runOn(tab, async ({ Embedder }, model) => void (globalThis.kept = await Embedder.load(model)), embeds);
  expect(await workerTargets()).toHaveLength(1);
  const ended = new Promise((resolve) => tab.once('workerdestroyed', resolve));
  await tab.close();
  await ended;
  expect(await workerTargets()).toEqual([]);
});
