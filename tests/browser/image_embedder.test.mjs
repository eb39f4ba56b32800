// Pictures and words on a page: a stream of pictures is decoded in the worker, or on the page, while the network
// computes.
import { ImageEmbedder } from 'quintet';
import { distance } from '../npm/helpers/expectations.mjs';
import { clip } from '../npm/helpers/image_embedder_fixtures.mjs';
import { gradient } from '../npm/helpers/pictures.mjs';
import { runOn, serve } from './browsers.mjs';
import { allBrowsers, pagesIn } from './pages.mjs';

const files = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'model.safetensors'];
const model = Object.fromEntries(files.map((name) => [name, `/tests/fixtures/vision/clip-hf-sparse/${name}`]));
const picture = '/tests/fixtures/images/gradient.png';

let server;
let expected;
beforeAll(async () => {
  server = await serve();
  const embedder = await ImageEmbedder.load(clip);
  expected = { image: await embedder.embedImage(gradient()), text: await embedder.embedText('a dog') };
  embedder.close();
});
afterAll(() => server.close());

describe.each(allBrowsers)('%s', (_, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);

  test.each([
    ['in a worker', {}],
    ['on the page', { worker: false }],
  ])('%s', async (_, settings) => {
    const found = await runOn(
      pages.current,
      async ({ ImageEmbedder, SearchIndex }, { model, settings, picture }) => {
        const embedder = await ImageEmbedder.load(model, settings);
        const blob = await (await fetch(picture)).blob();
        const bitmap = await createImageBitmap(blob);
        const { width, height } = bitmap;
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const images = [blob, bitmap, canvas, context.getImageData(0, 0, width, height)];
        const stream = [];
        for await (const vector of embedder.embedImageStream(images)) stream.push([...vector]);
        const list = (await embedder.embedImage(images)).map((vector) => [...vector]);
        const broken = await embedder.embedImage([blob, new Blob(['text'])]).catch(({ message }) => message);
        const index = new SearchIndex({ embedder });
        index.add({ id: 'gradient', vector: await embedder.embedImage(blob) });
        const [{ id }] = await index.search('a dog');
        const text = [...(await embedder.embedText('a dog'))];
        embedder.close();
        return { stream, list, broken, id, text, worker: embedder.info.runtime.worker };
      },
      { model, settings, picture },
    );
    expect(found).toMatchObject({ worker: settings.worker ?? true, id: 'gradient' });
    expect(found.broken).toMatch(/^image 1: /);
    expect(found.stream).toHaveLength(4);
    expect(found.list).toEqual(found.stream);
    for (const vector of found.stream) expect(distance(vector, expected.image)).toBeLessThanOrEqual(1e-3);
    expect(distance(found.text, expected.text)).toBeLessThanOrEqual(1e-5);
  });
});
