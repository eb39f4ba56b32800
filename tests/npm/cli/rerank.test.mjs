import { writeFileSync } from 'node:fs';
import { Reranker } from 'quintet';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const model = fixture('rerankers/bert');
const query = 'the tea in 1999';
const texts = ['not a hat', 'it is in the sea', 'a', 'tea and toast'];
let expected;
beforeAll(async () => {
  const reranker = await Reranker.load(model);
  expected = await reranker.rank(query, texts);
  reranker.close();
});

test('prints TEXT best first', async () => {
  const lines = await quintetJson(['rerank', '--model', model, query, ...texts]);
  expect(lines).toEqual(expected.map(({ index, score, text }) => ({ id: String(index + 1), score, text })));
  const { stdout } = await quintet(['rerank', '--model', model, '-k', '1', query, ...texts]);
  const [{ index, score, text }] = expected;
  expect(stdout).toBe(`${score.toFixed(4)}  ${index + 1}\n        ${text}\n`);
});

test('reads lines of stdin, and keeps the fields of JSON lines', async () => {
  const plain = await quintetJson(['rerank', '--model', model, query], { input: texts.join('\n') });
  expect(plain.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  const input = texts
    .map((text, i) => JSON.stringify({ id: `p${i}`, title: `T${i}`, text, source: 'here' }))
    .join('\n');
  const [best] = await quintetJson(['rerank', '--model', model, '-k', '1', query], { input });
  const [{ index, score, text }] = expected;
  expect(best).toEqual({ id: `p${index}`, score, title: `T${index}`, text, source: 'here' });
});

test('bad lines are reported, the others scored', async () => {
  const { status, stdout, stderr } = await quintet(['rerank', '--json', '--lines', 'jsonl', '--model', model, query], {
    input: '{"text": "a"}\n{}\n',
  });
  expect(status).toBe(1);
  expect(jsonLines(stdout)).toHaveLength(1);
  expect(stderr).toContain('1 of 2 lines could not be scored');
});

test('rejects a call without a model, without a query and with a wrong model', async () => {
  expectRefusal(await quintet(['rerank', query, 'a']), /--model is missing/);
  expectRefusal(await quintet(['rerank', '--model', model]), /QUERY is missing/);
  expectRefusal(await quintet(['rerank', '--model', '-', query]), /stdin cannot be both/);
  expectRefusal(await quintet(['rerank', '--model', fixture('embd/f32.weights'), query, 'a']), /reranker/);
});

test('search --rerank orders the hits by the reranker', async () => {
  const corpus = scratch('corpus.txt');
  writeFileSync(corpus, texts.join('\n'));
  const embedder = fixture('embd/f32.weights');
  const [{ hits }] = await quintetJson([
    'search',
    '--model',
    embedder,
    '--rerank',
    model,
    '--corpus',
    corpus,
    '-k',
    '2',
    query,
  ]);
  expect(hits.map(({ text, score }) => ({ text, score }))).toEqual(
    expected.slice(0, 2).map(({ text, score }) => ({ text, score })),
  );
});
