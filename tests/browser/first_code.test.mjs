// The first code of a newcomer, chat and search with models of the Hub by name, is the same in Node and in a page.
import { readFileSync } from 'node:fs';
import * as quintet from 'quintet';
import { serveHub } from '../npm/helpers/servers/hub_server.mjs';
import { runOn, serve } from './browsers.mjs';
import { allBrowsers, pagesIn } from './pages.mjs';

const bytesOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url));
const prompts = { query: 'query: ', document: 'note: ' };
const folder = 'tests/fixtures/encoders/bert-xlmr-mean/';
const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'modules.json', '1_Pooling/config.json'];
const embedderFiles = {
  ...Object.fromEntries([...files, 'model.safetensors'].map((name) => [name, bytesOf(folder + name)])),
  'config_sentence_transformers.json': Buffer.from(JSON.stringify({ prompts })),
};
const notes = ['the cat sat on the mat', 'dogs run in the rain', 'we chose the name in March'].map((text, i) => ({
  id: i + 1,
  text,
  payload: { length: text.length },
}));
const query = 'when did we decide on the name';
const system = 'Be brief.';
const question = 'Why is the sky blue?';
const options = { template: 'chatml', temperature: 0, maxTokens: 20 };

/** Runs anywhere. */
const firstCode = async (
  { TextGenerator, Embedder, SearchIndex },
  { hub, notes, query, system, question, options },
) => {
  const stages = new Set();
  const onProgress = ({ stage }) => stages.add(stage);
  const model = await TextGenerator.load('hf:zoo/story/story.amb', { cache: true, onProgress, hub });
  const chat = model.startChat({ system, ...options });
  let said = '';
  for await (const { text } of chat.send(question)) said += text;
  const opened = await model.openChat(await chat.save());
  const messages = opened.messages.map(({ role, content }) => [role, content]);

  const embedder = await Embedder.load('hf:zoo/embedder', { quantize: 'int8', hub });
  const index = new SearchIndex({ embedder });
  await index.addTexts(notes);
  const hits = await index.search(query, { mode: 'vector' });
  model.close();
  embedder.close();
  return { said, messages, hits, isDownloadShown: stages.has('download') };
};

let hub;
let server;
let given;
let expected;
beforeAll(async () => {
  hub = await serveHub();
  hub.add('zoo/story', { 'story.amb': bytesOf('models/stories260k.amb') });
  hub.add('zoo/embedder', embedderFiles);
  server = await serve();
  given = { hub: { endpoint: hub.endpoint }, notes, query, system, question, options };
  expected = await byHand();
});
afterAll(async () => {
  await server?.close();
  await hub?.close();
});

/** The answer to the written conversation, and dot products with prompts that are put before the texts. */
async function byHand() {
  const model = await quintet.TextGenerator.load(bytesOf('models/stories260k.amb'));
  const { template, ...sampling } = options;
  const { ids } = await model.applyChatTemplate(
    [
      { role: 'system', content: system },
      { role: 'user', content: question },
    ],
    { template },
  );
  const said = await model.generate([...ids], sampling).text();
  model.close();
  const embedder = await quintet.Embedder.load(embedderFiles, { quantize: 'int8' });
  const embed = (prefix, text) => embedder.embed(prefix + text, { prompt: '' });
  const wanted = await embed(prompts.query, query);
  const scored = notes.map(async (note) => {
    const vector = await embed(prompts.document, note.text);
    return { ...note, score: vector.reduce((sum, x, i) => sum + x * wanted[i], 0) };
  });
  const hits = (await Promise.all(scored)).sort((a, b) => b.score - a.score);
  embedder.close();
  return { said, hits };
}

function expectAnswers({ said, messages, hits, isDownloadShown }) {
  expect(said).toBe(expected.said);
  expect(messages).toEqual([
    ['system', system],
    ['user', question],
    ['assistant', said],
  ]);
  expect(isDownloadShown).toBe(true);
  const withoutScore = ({ score: _score, ...hit }) => hit;
  expect(hits.map(withoutScore)).toEqual(expected.hits.map(withoutScore));
  hits.forEach(({ score }, i) => expect(score).toBeCloseTo(expected.hits[i].score, 5));
}

test('Node', async () => expectAnswers(await firstCode(quintet, given)));

describe.each(allBrowsers)('%s', (_, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);
  test('the same code', async () => expectAnswers(await runOn(pages.current, firstCode, given)));
});
