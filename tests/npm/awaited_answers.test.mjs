// Whoever awaits an answer need not keep the object that gives it: garbage collection closes what nobody awaits.
import { threads } from './generator_fixtures.mjs';
import { run } from './program.mjs';

const picture = '{ data: new Uint8ClampedArray(64 * 64 * 4), width: 64, height: 64 }';
const story = "'Once upon a time, there was a little girl. '.repeat(12)";

/** Each evaluates to something other than null. */
const calls = {
  'classifies a picture': `(await ImageClassifier.load(models.classifier, { worker })).classify(${picture})`,
  'classifies many': `(await ImageClassifier.load(models.classifier, { worker })).classifyBatch(Array(50).fill(${picture}))`,
  'embeds many texts': "(await Embedder.load(models.embedder, { worker })).embed(Array(50).fill('a text'))",
  'tokenizes a long text': "(await Embedder.load(models.embedder, { worker })).tokenize('a text '.repeat(2000))",
  'gives logits': '(await TextGenerator.load(models.storyteller, { worker })).logits(Array(300).fill(7))',
  'measures perplexity': `(await TextGenerator.load(models.storyteller, { worker })).perplexity(${story})`,
  'measures perplexity in a session': `(await TextGenerator.load(models.storyteller, { worker })).createSession().perplexity(${story})`,
  'generates in a fork': `(await TextGenerator.load(models.storyteller, { worker })).createSession().fork().generate('A', { maxTokens: 100 }).text()`,
};

describe.each(threads)('%s', (_, worker) => {
  test.each(Object.entries(calls))('an object that is otherwise forgotten %s', async (_, call) => {
    const answer = await run(
      `import { Embedder, ImageClassifier, TextGenerator } from 'quintet';
       import * as models from './models/index.js';
       const worker = ${worker};
       const collecting = setInterval(() => globalThis.gc());
       const answer = await (async () => ${call})();
       clearInterval(collecting);
       console.log(JSON.stringify(answer));`,
      { flags: ['--expose-gc'] },
    );
    expect(answer).not.toBeNull();
  });
});
