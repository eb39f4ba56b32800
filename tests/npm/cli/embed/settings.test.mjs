// Settings in a model's files, and the options of embed and search that replace them.
import { cpSync, writeFileSync } from 'node:fs';
import { Embedder } from 'quintet';
import { expectRefusal, fixture, quintet, quintetJson, scratchFolder } from '../../helpers/quintet.mjs';

const scratch = scratchFolder();
const prompts = { query: 'find ', document: 'read ', none: '' };
let model;
let embedder;
beforeAll(async () => {
  // A model without a Normalize module.
  model = scratch('model');
  cpSync(fixture('encoders/bert-xlmr-mean'), model, { recursive: true });
  const modules = ['', '1_Pooling'].map((path, idx) => ({
    idx,
    name: String(idx),
    path,
    type: `sentence_transformers.models.${idx === 0 ? 'Transformer' : 'Pooling'}`,
  }));
  writeFileSync(`${model}/modules.json`, JSON.stringify(modules));
  writeFileSync(
    `${model}/config_sentence_transformers.json`,
    JSON.stringify({ prompts, default_prompt_name: 'document' }),
  );
  embedder = await Embedder.load(model);
});
afterAll(() => embedder.close());

const vectorOf = async (...args) => {
  const [{ embedding }] = await quintetJson(['embed', '--model', model, ...args]);
  return Float32Array.from(embedding);
};

test.each([
  ['what the model says', [], {}],
  ['--normalize', ['--normalize'], { normalize: true }],
  ['--no-normalize', ['--no-normalize'], { normalize: false }],
  ['--prompt', ['--prompt', 'say '], { prompt: 'say ' }],
  ['an empty --prompt', ['--prompt', ''], { prompt: '' }],
  ['--prompt-name', ['--prompt-name', 'query'], { promptName: 'query' }],
  ['--dimensions', ['--dimensions', '16', '--normalize'], { dimensions: 16, normalize: true }],
])('embed with %s', async (_what, args, options) => {
  const expected = await embedder.embed('a cat', options);
  expect(await vectorOf(...args, 'a cat')).toEqual(expected);
});

test('the vectors of the settings differ', async () => {
  const settings = [{}, { normalize: true }, { prompt: '' }, { promptName: 'query' }];
  const vectors = await Promise.all(settings.map((options) => embedder.embed('a cat', options)));
  expect(Math.abs(Math.hypot(...vectors[0]) - 1)).toBeGreaterThan(1e-3);
  expect(new Set(vectors.map(String)).size).toBe(settings.length);
});

test('--quantize int8 is that of loading', async () => {
  const int8 = await Embedder.load(model, { quantize: 'int8' });
  expect(await vectorOf('--quantize', 'int8', 'a cat')).toEqual(await int8.embed('a cat'));
  int8.close();
});

test('shards remember settings that change vectors, and have as many dimensions as asked', async () => {
  const args = ['embed', '--model', model, '--output-shards', scratch('shards'), '--lines', 'text'];
  const { status } = await quintet([...args, '--dimensions', '8'], { input: 'a\nb\n' });
  expect(status).toBe(0);
  const { stderr } = await quintet([...args, '--dimensions', '8', '--quantize', 'int8'], { input: 'a\nb\n' });
  expect(stderr).toContain('other options');
  expect(await quintet([...args, '--dimensions', '8'], { input: 'a\nb\n' })).toMatchObject({ status: 0 });
});

test('a setting that the model rejects is one error, not one for each line', async () => {
  for (const [args, message] of [
    [['--dimensions', '65'], /'dimensions'/],
    [['--prompt-name', 'passage'], /no prompt 'passage'; it has query, document, none/],
    [['--prompt', 'x', '--prompt-name', 'query'], /--prompt and --prompt-name cannot be used together/],
    [['--normalize', '--no-normalize'], /cannot be used together/],
    [['--quantize', 'int4'], /--quantize takes none, int8, not 'int4'/],
  ]) {
    expectRefusal(await quintet(['embed', '--model', model, ...args], { input: 'a\nb\n' }), message);
  }
});

describe('search', () => {
  const passages = ['a cat', 'the sea in 1999', 'tea and toast'];
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  beforeAll(() => writeFileSync(scratch('passages.txt'), passages.join('\n')));

  /** Scores from the command line, and by the vectors of the class. */
  async function compare(args, query, passage) {
    const search = ['search', '--model', model, '--corpus', scratch('passages.txt'), '--normalize', ...args, 'the cat'];
    const [{ hits }] = await quintetJson(search);
    const target = await embedder.embed('the cat', { normalize: true, ...query });
    const vectors = await embedder.embed(passages, { normalize: true, ...passage });
    expect(hits).toHaveLength(passages.length);
    for (const { id, score } of hits) expect(Math.abs(score - dot(target, vectors[id - 1]))).toBeLessThan(0.01);
    return hits.map(({ score }) => score);
  }

  test('puts the prompts of the model before queries and passages', async () => {
    await compare([], { promptName: 'query' }, { promptName: 'document' });
  });

  test('options choose other prompts, and fewer dimensions', async () => {
    await compare(['--prompt', '', '--passage-prompt-name', 'none'], { prompt: '' }, { prompt: '' });
    await compare(
      ['--prompt-name', 'document', '--passage-prompt', 'say '],
      { promptName: 'document' },
      { prompt: 'say ' },
    );
    await compare(
      ['--dimensions', '32'],
      { promptName: 'query', dimensions: 32 },
      { promptName: 'document', dimensions: 32 },
    );
  });

  test('an index is rebuilt for another prompt of passages or another quantization, not for one of queries', async () => {
    const run = async (...args) => {
      const fixed = ['search', '--model', model, '--corpus', scratch('passages.txt'), '--index', scratch('index')];
      return (await quintet([...fixed, ...args, 'cat'])).stderr;
    };
    await run();
    expect(await run('--prompt', 'x')).not.toContain('rebuilding');
    expect(await run('--passage-prompt', 'x')).toContain('the index is for other options; rebuilding it');
    expect(await run('--passage-prompt', 'x', '--quantize', 'int8')).toContain('rebuilding');
  });
});
