// 64-bit memory in Chromium: a model beyond 4 GB in a worker, next to one that fits.
import { launch, runOn, serve } from './browsers.mjs';

let browser;
let server;
beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
afterAll(() => Promise.all([browser?.close(), server?.close()]));

test('a model beyond 4 GB, and one that fits in both kinds of memory', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}page.html`);
  const { large, wide, usual } = await runOn(page, async ({ TextGenerator }) => {
    const { expectedLogits, largeResponse, vocabulary } = await import('/tests/npm/helpers/models/large_amb.mjs');

    const tell = async (memory64) => {
      const model = await TextGenerator.load('/models/stories260k.amb', { memory64, variant: 'relaxed' });
      const text = await model.generate('The dragon', { seed: 3, maxTokens: 60 }).text();
      const logits = [...(await model.logits([1, 403, 407]))];
      model.close();
      return { numbers: { text, logits }, memory64: model.info.runtime.memory64 };
    };

    const compute = async (id) => {
      const model = await TextGenerator.load(largeResponse());
      const logits = await model.logits([id]);
      model.close();
      const expected = expectedLogits(id);
      const worst = logits.reduce((most, logit, i) => Math.max(most, Math.abs(logit - expected[i])), 0);
      const largest = expected.reduce((most, logit) => Math.max(most, Math.abs(logit)), 0);
      return { worst, largest, count: logits.length === vocabulary, runtime: model.info.runtime };
    };

    return { large: await compute(vocabulary - 3), wide: await tell(true), usual: await tell(false) };
  });
  expect(large).toMatchObject({ count: true, runtime: { memory64: true, worker: true, threads: 1 } });
  expect(large.largest).toBeGreaterThan(10);
  expect(large.worst).toBeLessThan(1e-5 * large.largest);
  expect([wide.memory64, usual.memory64]).toEqual([true, false]);
  expect(wide.numbers).toEqual(usual.numbers);
});
