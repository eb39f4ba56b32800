// An object is not garbage-collected while a call on it is pending, even if nothing else refers to it.
import { threads } from '../helpers/generator_fixtures.mjs';
import { run } from '../helpers/program.mjs';

const picture = '{ data: new Uint8ClampedArray(64 * 64 * 4), width: 64, height: 64 }';
const story = "'Once upon a time, there was a little girl. '.repeat(12)";

/** Class, bundled model or path, and a call on the loaded object. */
const calls = [
  ['ImageClassifier', 'classifier', `classify(${picture})`],
  ['ImageClassifier', 'classifier', `classifyBatch(Array(50).fill(${picture}))`],
  ['ImageEmbedder', 'clip', `embedImage(Array(50).fill(${picture}))`],
  ['ImageEmbedder', 'clip', `classify(${picture}, ['dog', 'cat'])`],
  ['Embedder', 'embedder', "embed(Array(50).fill('a text'))"],
  ['Embedder', 'embedder', "tokenize('a text '.repeat(2000))"],
  ['TextGenerator', 'storyteller', 'logits(Array(300).fill(7))'],
  ['TextGenerator', 'storyteller', `perplexity(${story})`],
  ['TextGenerator', 'storyteller', `createSession().perplexity(${story})`],
  ['TextGenerator', 'storyteller', "createSession().fork().generate('A', { temperature: 0, maxTokens: 100 }).text()"],
];

describe.each(threads)('%s', (_, worker) => {
  test.each(calls)('%s, %s: %s', async (name, model, call) => {
    const { kept, forgotten } = await run(
      `import { ${name} } from 'quintet';
       import * as models from './models/index.js';
       const { ${model} } = { ...models, clip: 'tests/fixtures/vision/clip-hf-sparse' };
       const load = () => ${name}.load(${model}, { worker: ${worker} });
       const call = (object) => object.${call};
       const object = await load();
       const kept = await call(object);
       object.close();
       const collecting = setInterval(() => globalThis.gc());
       const forgotten = await call(await load());
       clearInterval(collecting);
       console.log(JSON.stringify({ kept, forgotten }));`,
      { flags: ['--expose-gc'] },
    );
    expect(forgotten).toEqual(kept);
  });
});
