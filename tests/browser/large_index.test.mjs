// An index of 100,000 passages never blocks its page: not while they are added, saved, loaded or searched.
import { runOn, serve } from './browsers.mjs';
import { tasksDuring } from './page_tasks.mjs';
import { chromium, pagesIn } from './pages.mjs';

let server;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server?.close());

/** Runs on the page: passages, and an embedder with vectors that cost no time. */
function prepare({ SearchIndex }, count) {
  const dimension = 384;
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  // Few words are frequent, as in every language.
  const word = () => `word${Math.floor(30_000 * (random(1000) / 1000) ** 4)}`;
  const sentences = Array.from({ length: 2000 }, () => Array.from({ length: 15 }, word).join(' '));
  const vectors = Array.from({ length: 500 }, () =>
    Float32Array.from({ length: dimension }, () => random(2001) - 1000),
  );
  const passages = Array.from({ length: count }, (_, i) => ({
    id: i,
    text: `${sentences[random(2000)]} ${word()} ${i}`,
    payload: { url: `page-${i >> 3}.html` },
  }));
  const embedder = {
    dimension,
    embedQuery: async () => vectors[0],
    embedDocuments: async (texts) => (texts.length === 1 ? [vectors[0]] : texts.map(() => vectors[random(500)])),
  };
  globalThis.large = { SearchIndex, embedder, passages };
}

/** Each leaves the input of the next one; all return a number that shows that they ran. */
const jobs = {
  'adding its texts': async () => {
    const { SearchIndex, embedder, passages } = globalThis.large;
    globalThis.large.index = new SearchIndex({ embedder });
    return globalThis.large.index.addTexts(passages);
  },
  'saving it': async () => {
    globalThis.large.file = await globalThis.large.index.save();
    globalThis.large.index.close();
    return globalThis.large.file.length;
  },
  'loading it': async () => {
    const { SearchIndex, embedder, file } = globalThis.large;
    globalThis.large.index = await SearchIndex.load(file, { embedder });
    return globalThis.large.index.size;
  },
  'the first search': async () => {
    const hits = await globalThis.large.index.search('word7 word3000 word9', { k: 20 });
    return hits.length;
  },
};

const count = 100_000;
const expected = {
  'adding its texts': count,
  'saving it': expect.any(Number),
  'loading it': count,
  'the first search': 20,
};

describe('in Chromium', () => {
  const pages = pagesIn(chromium[1], () => `${server.url}page.html`);

  test('no task takes 50 ms', async () => {
    await runOn(pages.current, prepare, count);
    const longest = {};
    for (const [name, job] of Object.entries(jobs)) {
      let answer;
      const tasks = await tasksDuring(pages.current, async () => (answer = await pages.current.evaluate(job)));
      expect([name, answer]).toEqual([name, expected[name]]);
      longest[name] = Math.max(...tasks);
    }
    expect(Object.entries(longest).filter(([, milliseconds]) => milliseconds > 50)).toEqual([]);
  });
});
