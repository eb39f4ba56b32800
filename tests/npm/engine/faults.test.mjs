// Faults in Node: memory that runs out, workers that end, models of every kind that are loaded and closed.
import { fileURLToPath } from 'node:url';
import { Embedder, ImageClassifier, ImageEmbedder, TextGenerator } from 'quintet';
import { nodePath } from '../../../tools/node_versions.mjs';
import { runCases } from '../helpers/classifier_fixtures.mjs';
import { base, pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { expectSteadyMemory } from '../helpers/freed_models.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { instanceOf } from '../helpers/native_instance.mjs';
import { run } from '../helpers/program.mjs';

const decoder = fileURLToPath(new URL('../../fixtures/amb/small.amb', import.meta.url));
const embedder = JSON.stringify(pathOf(base));

/**
 * Runs a program in a process with no more address space than that. Uses Node 20, where each WebAssembly memory needs 8
 * GB of it; newer versions need less.
 */
const runWithin = (gigabytes, source) =>
  run(source, { node: 'prlimit', flags: [`--as=${gigabytes * 2 ** 30}`, nodePath(20)] });

test('without room for WebAssembly memory the error is MEMORY', async () => {
  const answers = await runWithin(
    3,
    `import { Embedder, SearchIndex } from 'quintet';
     const answers = [];
     const note = ({ name, code, reason }) => answers.push([name, code, reason].join(' '));
     // Where there is no room for another thread either, Node ends the process.
     for (const variant of ['auto', 'baseline']) await Embedder.load(${embedder}, { variant, threads: 1 }).catch(note);
     try { new SearchIndex({ dimension: 4 }); } catch (error) { note(error); }
     console.log(JSON.stringify(answers));`,
  );
  expect(answers).toEqual(Array(3).fill('QuintetError MEMORY out_of_memory'));
});

test('a block at a high address does not count as larger than it is', async () => {
  const native = await instanceOf('embedder');
  const loader = () => new native.EmbedderLoader('weights', -1, false, '');
  const loaders = [1.5e9, 1.5e9, 0.5e9].map((bytes) => {
    const taking = loader();
    expect(taking.window(bytes)).toHaveLength(bytes);
    return taking;
  });
  loaders.splice(1, 1)[0].delete();
  const another = loader();
  expect(another.window(2.9e9)).toBeNull();
  expect(another.window(1.4e9)).toHaveLength(1.4e9);
  [...loaders, another].forEach((taken) => taken.delete());
  expect(native.liveObjects()).toBe(0);
});

test.each([
  [
    'a text generator',
    async (options) => {
      const generator = await TextGenerator.load(decoder, options);
      await generator.logits([1, 2, 3]);
      return generator;
    },
  ],
  [
    'an image classifier',
    async (options) => {
      const [{ path, input, shape }] = runCases;
      const classifier = await ImageClassifier.load(fixturePath(path), options);
      await classifier.logits(input(), shape);
      return classifier;
    },
  ],
  [
    'an image embedder',
    async (options) => {
      const embedder = await ImageEmbedder.load(fixturePath('vision/clip-hf-sparse'), options);
      await embedder.embedText('a dog');
      return embedder;
    },
  ],
])('loading and closing %s a hundred times needs no more memory than a few times', (_, load) =>
  expectSteadyMemory(async () => (await load({ worker: false })).close()),
);

test('twenty workers, one after another, leave nothing behind', async () => {
  const { grown, workers } = await run(
    `import { Embedder } from 'quintet';
     const cycle = async (times) => {
       for (let i = 0; i < times; ++i) {
         const embedder = await Embedder.load(${embedder}, { worker: true, threads: 1 });
         await embedder.embed('a');
         embedder.close();
       }
       globalThis.gc();
       return process.memoryUsage.rss();
     };
     const few = await cycle(4);
     const grown = (await cycle(16)) - few;
     const workers = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
     for (let i = 0; i < 1000 && workers() > 0; ++i) await new Promise((resolve) => setTimeout(resolve, 5));
     console.log(JSON.stringify({ grown, workers: workers() }));`,
    { flags: ['--expose-gc'] },
  );
  expect(workers).toBe(0);
  expect(grown).toBeLessThan(64 * 2 ** 20);
});

test('models that ended with their worker report it, and the next load works', async () => {
  const answers = await run(
    `import { Worker } from 'node:worker_threads';
     import { Embedder } from 'quintet';
     const workers = new Set();
     const { postMessage } = Worker.prototype;
     Worker.prototype.postMessage = function (...args) {
       workers.add(this);
       return postMessage.apply(this, args);
     };
     const answers = [];
     const note = ({ length, code, reason }) => answers.push(length ?? code + ' ' + reason);
     const embedder = await Embedder.load(${embedder}, { worker: true });
     const onProgress = () => workers.forEach((worker) => worker.terminate());
     const calls = [embedder.embed(Array(4000).fill('one two three'), { onProgress }), embedder.embed('a')];
     calls.forEach((call, i) => (calls[i] = call.then(note, note)));
     await Promise.all(calls);
     await embedder.embed('a').catch(note);
     const next = await Embedder.load(${embedder}, { worker: true });
     note(await next.embed('a'));
     console.log(JSON.stringify(answers));`,
  );
  expect(answers).toEqual(['INTERNAL worker', 'INTERNAL worker', 'INTERNAL worker', 32]);
});

test('a file of another version of the package', async () => {
  const wasm = new URL('../../../dist/quintet-generator-baseline.wasm', import.meta.url);
  const error = await failureOf(() => Embedder.load(pathOf(base), { wasm }));
  expect(error).toMatchObject({ code: 'IO', reason: 'wasm' });
  expect(error.message).toMatch(/another version of the package/);
});
