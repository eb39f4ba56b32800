// The bundled story model on a page: in a worker, which leaves the page free, and on the page itself.
import { readFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { storyteller } from '../../models/index.js';
import { runOn, serve } from './browsers.mjs';
import { expectFreePage } from './free_page.mjs';
import { chromium, pagesIn, testOnceIn, untilWorkers, webKit } from './pages.mjs';
import { featuresOf, notIsolated, runtimeIn } from './runtimes.mjs';

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'";
const model = '/models/stories260k.amb';
const told = new URL('../fixtures/storyteller/expected_greedy_200.txt', import.meta.url);
const expected = readFileSync(told, 'utf8').replace(/\n$/, '');
const greedy = { temperature: 0, maxTokens: 200 };

let server;
beforeAll(async () => {
  server = await serve({ policy });
});
afterAll(() => server?.close());

describe.each([chromium, webKit])('%s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);

  const fastest = runtimeIn(name);
  const variants = ['auto', 'baseline', ...(featuresOf(name).relaxedSimd ? ['relaxed'] : [])];

  describe.each([
    ['in a worker', {}],
    ['on the page', { worker: false }],
  ])('%s', (_, options) => {
    const onPage = (job, argument) => runOn(pages.current, job, { model, options, greedy, ...argument });
    const isInWorker = options.worker ?? true;

    test.each(variants)('the greedy text, with variant %s', async (variant) => {
      const { text, runtime } = await onPage(
        async ({ TextGenerator }, { model, options, greedy, variant }) => {
          const generator = await TextGenerator.load(model, { ...options, variant });
          const text = await generator.generate('', greedy).text();
          generator.close();
          return { text, runtime: generator.info.runtime };
        },
        { variant },
      );
      expect(text).toBe(expected);
      const expectedRuntime = variant === 'auto' ? fastest : { variant, fallbacks: [] };
      expect(runtime).toMatchObject({
        ...expectedRuntime,
        worker: isInWorker,
        fallbacks: [...expectedRuntime.fallbacks, notIsolated],
      });
    });

    test('arrives piece by piece while it is generated, as tokens and as a stream', async () => {
      const { pieces, streamed, early, summary } = await onPage(
        async ({ TextGenerator }, { model, options, greedy }) => {
          const generator = await TextGenerator.load(model, options);
          const pieces = [];
          let isOver = false;
          let early = 0;
          const generation = generator.generate('', greedy);
          generation.finished.then(() => (isOver = true));
          for await (const { text } of generation) {
            pieces.push(text);
            if (!isOver) ++early;
          }
          const streamed = [];
          const reader = generator.generate('', greedy).toReadableStream().getReader();
          for (let part; !(part = await reader.read()).done; ) streamed.push(part.value);
          generator.close();
          return { pieces, streamed, early, summary: await generation.finished };
        },
      );
      expect(pieces).toHaveLength(200);
      expect(pieces.join('')).toBe(expected);
      expect(early).toBeGreaterThan(100);
      expect(streamed.join('')).toBe(expected);
      expect(streamed).toEqual(pieces.filter((piece) => piece));
      expect(summary).toMatchObject({ reason: 'length', promptTokens: 1, tokens: 200 });
    });

    testOnce('an abort ends the text, and the next one is complete', async () => {
      const { taken, text, summary, again } = await onPage(async ({ TextGenerator }, { model, options, greedy }) => {
        const generator = await TextGenerator.load(model, options);
        const controller = new AbortController();
        const generation = generator.generate('', { ...greedy, maxTokens: 400, signal: controller.signal });
        let taken = '';
        let count = 0;
        for await (const piece of generation) {
          taken += piece.text;
          if (++count === 20) controller.abort();
        }
        const answer = { taken, text: await generation.text(), summary: await generation.finished };
        const again = await generator.generate('', greedy).text();
        generator.close();
        return { ...answer, again };
      });
      expect(summary.reason).toBe('abort');
      expect(summary.tokens).toBeGreaterThanOrEqual(20);
      expect(summary.tokens).toBeLessThan(400);
      expect(text).toBe(taken);
      expect(taken.startsWith(expected) || expected.startsWith(taken)).toBe(true);
      expect(again).toBe(expected);
    });

    test('a seed gives the same text as in Node', async () => {
      const sampling = { temperature: 1.1, maxTokens: 120, seed: 20250607 };
      const inNode = await TextGenerator.load(storyteller, { variant: 'baseline' });
      const text = await inNode.generate('One day', sampling).text();
      inNode.close();
      const inBrowser = await onPage(
        async ({ TextGenerator }, { model, options, sampling }) => {
          const generator = await TextGenerator.load(model, { ...options, variant: 'baseline' });
          return generator.generate('One day', sampling).text();
        },
        { sampling },
      );
      expect(text.length).toBeGreaterThan(100);
      expect(inBrowser).toBe(text);
    });

    test('errors reach the caller unchanged', async () => {
      const codes = await onPage(async ({ TextGenerator }, { model, options }) => {
        const codes = [];
        const note = (error) => codes.push(`${error.name} ${error.code} ${error.reason}`);
        const generator = await TextGenerator.load(model, options);
        await generator.generate('a', { topP: 2 }).text().catch(note);
        await generator.generate(Array(600).fill(1)).text().catch(note);
        await generator.logits([512]).catch(note);
        generator.close();
        await generator.generate('a').text().catch(note);
        await TextGenerator.load('/none.amb', options).catch(note);
        return codes;
      });
      expect(codes).toEqual([
        'QuintetError INPUT out_of_range',
        'QuintetError INPUT limit',
        'QuintetError INPUT out_of_range',
        'QuintetError CLOSED closed',
        'QuintetError IO http_status',
      ]);
    });
  });

  if (name === 'Chromium') {
    test('no task of the page is long while a worker generates', async () => {
      const begin = async ({ TextGenerator }, { model, options }) => {
        const generator = await TextGenerator.load(model);
        return { work: () => generator.generate('', options).text(), close: () => generator.close() };
      };
      await expectFreePage(pages.current, begin, { model, options: { temperature: 1, seed: 3, maxTokens: 500 } });
    });
  }

  test('a worker ends with its generator', async () => {
    await runOn(
      pages.current,
      async ({ TextGenerator }, model) => {
        globalThis.generators = await Promise.all([TextGenerator.load(model), TextGenerator.load(model)]);
      },
      model,
    );
    expect(pages.current.workers()).toHaveLength(2);
    await pages.current.evaluate(() => globalThis.generators[0].close());
    await untilWorkers(pages.current, 1);
    const text = await pages.current.evaluate(
      (options) => globalThis.generators[1].generate('', options).text(),
      greedy,
    );
    expect(text).toBe(expected);
  });

  test.each([
    ['where it is told to', { worker: false }, [], []],
    ['by itself', {}, [expect.objectContaining({ code: 'no_worker' })], ['worker-src']],
  ])('under a strict policy without workers it runs on the page: %s', async (_, options, fallbacks, refused) => {
    const strict = await pages.open(`${server.url}csp.html`);
    await strict.evaluate(() => {
      globalThis.violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        globalThis.violations.push(effectiveDirective),
      );
    });
    const { text, runtime } = await runOn(
      strict,
      async ({ TextGenerator }, { model, options, greedy }) => {
        const generator = await TextGenerator.load(model, options);
        return { text: await generator.generate('', greedy).text(), runtime: generator.info.runtime };
      },
      { model, options, greedy },
    );
    expect(text).toBe(expected);
    expect(runtime).toMatchObject({ worker: false, fallbacks: [...fastest.fallbacks, notIsolated, ...fallbacks] });
    expect(new Set(await strict.evaluate(() => globalThis.violations))).toEqual(new Set(refused));
    await strict.close();
  });

  test('a KV cache saved in the browser continues in Node, and vice versa', async () => {
    // Both sides use one build: only then are the values equal bit for bit.
    const variant = 'baseline';
    const sampling = { temperature: 1, maxTokens: 40 };
    const seeded = { ...sampling, seed: 11 };
    const inNode = await TextGenerator.load(storyteller, { variant });
    const [saved, restored] = [inNode.createSession(), inNode.createSession()];
    await saved.generate('One day', seeded).finished;
    const file = await saved.saveCache({ sampler: true });
    const inBrowser = await runOn(
      pages.current,
      async ({ TextGenerator }, { model, variant, sampling, seeded, bytes }) => {
        const generator = await TextGenerator.load(model, { variant });
        const session = generator.createSession();
        await session.generate('One day', seeded).finished;
        const file = new Uint8Array(await new Response(session.cacheStream({ sampler: true })).arrayBuffer());
        await session.loadCache(new Blob([Uint8Array.from(bytes)]), { sampler: true });
        const generation = session.generate('', sampling);
        const text = await generation.text();
        generator.close();
        return { file: [...file], text, prefillTokens: (await generation.finished).prefillTokens };
      },
      { model, variant, sampling, seeded, bytes: [...file] },
    );
    expect(Uint8Array.from(inBrowser.file)).toEqual(file);
    await restored.loadCache(Uint8Array.from(inBrowser.file), { sampler: true });
    const text = await restored.generate('', sampling).text();
    expect(text).toBe((await inNode.generate('One day', { ...seeded, maxTokens: 80 }).text()).slice(-text.length));
    expect(inBrowser).toMatchObject({ text, prefillTokens: 0 });
    inNode.close();
  });

  testOnce('only the modules of text generation are fetched', async () => {
    server.requests.length = 0;
    await runOn(pages.current, async ({ TextGenerator }, model) => (await TextGenerator.load(model)).close(), model);
    const fetched = server.requests.filter((path) => !path.endsWith('.js'));
    expect(fetched.sort()).toEqual([`/dist/quintet-generator-${fastest.variant}.wasm`, model]);
  });
});
