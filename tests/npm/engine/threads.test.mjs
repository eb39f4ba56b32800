// Several threads: the same results, bit for bit, and nothing left over.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { capabilities, Embedder, ImageClassifier, inspect, TextGenerator } from 'quintet';
import { smallCases } from '../helpers/classifier_fixtures.mjs';
import { base, baseRows, expectRows, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { runCases, story } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { run } from '../helpers/program.mjs';

const wasmFile = (build) => new URL(`../../../dist/quintet-embedder-${build}.wasm`, import.meta.url);
const counts = [2, 3, 5];

/** The result of `compute` for a model with this many threads. */
async function results(Class, source, threads, compute, options = {}) {
  const model = await Class.load(source, { ...options, threads });
  try {
    expect(model.info.runtime).toMatchObject({ threads });
    return await compute(model);
  } finally {
    model.close();
  }
}

async function expectSameBits(Class, source, compute, options) {
  const alone = await results(Class, source, 1, compute, options);
  for (const threads of counts) expect(await results(Class, source, threads, compute, options)).toEqual(alone);
  return alone;
}

test('one thread per processor is the default, and info reports it', async () => {
  const embedder = await Embedder.load(pathOf(base));
  expect(embedder.info.runtime.threads).toBe(Math.min(availableParallelism(), 16));
  expect(capabilities()).toMatchObject({ threads: true, runtime: embedder.info.runtime });
  embedder.close();
});

describe.each([false, true])('in a worker: %s', (worker) => {
  const options = { worker };

  test('vectors', async () => {
    const rows = await expectSameBits(Embedder, pathOf(base), (model) => model.embed(texts), options);
    expectRows(rows, baseRows.slice(0, texts.length));
    const long = Array.from({ length: 40 }, (_, i) => texts[i % texts.length]).join(' ');
    await expectSameBits(Embedder, pathOf(base), (model) => model.embed([long, ...texts, long]), options);
  });

  test('stories', async () => {
    const prompt = Array(30).fill('Once upon a time there was a dog.').join(' ');
    const tell = (model) => model.generate(prompt, { maxTokens: 20, temperature: 0 }).text();
    expect(await expectSameBits(TextGenerator, story, tell, options)).not.toBe('');
  });

  test('pictures', async () => {
    for (const { path, shape, input } of smallCases) {
      await expectSameBits(ImageClassifier, fixturePath(path), (model) => model.logits(input(), shape), options);
    }
  });
});

test.each(runCases.filter(({ path }) => /block|adaptive|f16/i.test(path)))('logits of $path', async ({ path, ids }) => {
  await expectSameBits(TextGenerator, fixturePath(path), (model) => model.logits(ids));
});

describe('a module of the caller', () => {
  const wasm = readFileSync(wasmFile('baseline'));

  test.each(['bytes', 'compiled'])('has as many threads as are wanted (%s)', async (form) => {
    const given = form === 'bytes' ? wasm : await WebAssembly.compile(wasm);
    for (const threads of [1, 2]) {
      const rows = await results(Embedder, pathOf(base), threads, (model) => model.embed(texts), { wasm: given });
      expectRows(rows, baseRows.slice(0, texts.length));
    }
    expect(wasm.equals(readFileSync(wasmFile('baseline')))).toBe(true);
  });

  test('has no threads unless it imports its memory', async () => {
    const files = readFileSync(new URL('../../../dist/quintet-files.wasm', import.meta.url));
    expect(await failureOf(Embedder.load(pathOf(base), { wasm: files, threads: 2 }))).toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});

test('inspecting starts no thread', async () => {
  await inspect(pathOf(base));
  const counted = await run(
    `import { inspect } from 'quintet';
     const begun = [];
     process.on('worker', (worker) => begun.push(worker.threadId));
     await inspect(${JSON.stringify(pathOf(base))});
     console.log(begun.length);`,
  );
  expect(counted).toBe(0);
});

test('a hundred models share the threads of one engine', async () => {
  const begun = await run(
    `import { Embedder } from 'quintet';
     let begun = 0;
     process.on('worker', () => ++begun);
     for (let i = 0; i < 100; ++i) {
       const embedder = await Embedder.load(${JSON.stringify(pathOf(base))}, { threads: 3 });
       await embedder.embed('a');
       embedder.close();
     }
     console.log(begun);`,
  );
  expect(begun).toBe(2);
});

test.each([false, true])('a process ends with threads that wait, busy or not (worker: %s)', async (worker) => {
  const ended = await run(
    `import { Embedder } from 'quintet';
     const embedder = await Embedder.load(${JSON.stringify(pathOf(base))}, { threads: 3, worker: ${worker} });
     await embedder.embed('a');
     const busy = embedder.embed(Array(2000).fill('and so on'));
     busy.catch(() => {});
     console.log('true');
     ${worker ? 'embedder.close();' : 'setImmediate(() => process.exit(0));'}`,
  );
  expect(ended).toBe(true);
});
