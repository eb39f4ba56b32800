// Pictures on a page: all that a page has of them, in a worker, which leaves the page free, and on the page itself.
import { ImageClassifier } from 'quintet';
import { small } from '../npm/helpers/classifier_fixtures.mjs';
import { distance } from '../npm/helpers/expectations.mjs';
import { fixturePath } from '../npm/helpers/model_fixtures.mjs';
import { gradient, pictureFile } from '../npm/helpers/pictures.mjs';
import { runOn, serve } from './browsers.mjs';
import { expectFreePage } from './free_page.mjs';
import { allBrowsers, pagesIn, testOnceIn } from './pages.mjs';
import { notIsolated, runtimeIn } from './runtimes.mjs';

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'";
const model = `/tests/fixtures/${small.path}`;
const picture = '/tests/fixtures/images/gradient.png';

let server;
let expected;
beforeAll(async () => {
  server = await serve({ policy });
  const classifier = await ImageClassifier.load(fixturePath(small.path), { inputSize: 64 });
  expected = { png: await classifier.logits(gradient()), jpeg: await classifier.logits(pictureFile('gradient.jpg')) };
  classifier.close();
});
afterAll(() => server.close());

const near = (logits, wanted, allowed = 1e-3) =>
  expect(distance(Object.values(logits), wanted)).toBeLessThanOrEqual(allowed);

/** Images that a page makes of gradient.png, by name; runs in the page. */
async function imagesOf(picture) {
  const blob = await (await fetch(picture)).blob();
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const draw = (canvas) => {
    Object.assign(canvas, { width, height }).getContext('2d').drawImage(bitmap, 0, 0);
    return canvas;
  };
  const canvas = draw(document.createElement('canvas'));
  const pixels = canvas.getContext('2d').getImageData(0, 0, width, height);
  const img = Object.assign(new Image(), { src: picture });
  await img.decode();
  const webp = await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 1));
  return {
    blob,
    bytes: new Uint8Array(await blob.arrayBuffer()),
    buffer: await blob.arrayBuffer(),
    pixels,
    samples: { data: new Uint8Array(pixels.data.buffer), width, height, channels: 4 },
    bitmap,
    img,
    canvas,
    offscreen: draw(new OffscreenCanvas(width, height)),
    frame: globalThis.VideoFrame ? new VideoFrame(canvas, { timestamp: 0 }) : canvas,
    ...(webp?.type === 'image/webp' ? { webp } : {}),
  };
}

describe.each(allBrowsers)('%s', (name, launchBrowser) => {
  const testOnce = testOnceIn(name);
  const pages = pagesIn(launchBrowser, () => `${server.url}page.html`);
  const fastest = runtimeIn(name);
  beforeEach(() => pages.current.evaluate(`globalThis.imagesOf = ${imagesOf}`));

  describe.each([
    ['in a worker', {}],
    ['on the page', { worker: false }],
  ])('%s', (_, options) => {
    const settings = { ...options, inputSize: 64 };
    const onPage = (job, argument) => runOn(pages.current, job, { model, settings, picture, ...argument });

    test('every kind of image is the same picture, and stays the caller’s', async () => {
      const { logits, again, runtime } = await onPage(async ({ ImageClassifier }, { model, settings, picture }) => {
        const classifier = await ImageClassifier.load(model, settings);
        const images = await globalThis.imagesOf(picture);
        const all = async () => {
          const logits = {};
          for (const [kind, image] of Object.entries(images)) logits[kind] = [...(await classifier.logits(image))];
          return logits;
        };
        const [logits, again] = [await all(), await all()];
        classifier.close();
        return { logits, again, runtime: classifier.info.runtime };
      });
      expect(runtime).toMatchObject({
        ...fastest,
        worker: options.worker ?? true,
        fallbacks: [...fastest.fallbacks, notIsolated],
      });
      expect(again).toEqual(logits);
      expect(Object.keys(logits).length).toBeGreaterThanOrEqual(10);
      for (const [kind, values] of Object.entries(logits)) {
        // Lossy, or by way of luma and chroma.
        near(values, expected.png, ['webp', 'frame'].includes(kind) ? 0.3 : 1e-3);
      }
    });

    test('a JPEG is decoded nearly as in Node', async () => {
      const logits = await onPage(async ({ ImageClassifier }, { model, settings }) => {
        const classifier = await ImageClassifier.load(model, settings);
        const jpeg = await (await fetch('/tests/fixtures/images/gradient.jpg')).blob();
        const logits = [...(await classifier.logits(jpeg))];
        classifier.close();
        return logits;
      });
      near(logits, expected.jpeg, 0.05);
    });

    test('a frame of a video', async () => {
      const { early, logits } = await onPage(async ({ ImageClassifier }, { model, settings, picture }) => {
        const classifier = await ImageClassifier.load(model, settings);
        const { bitmap, canvas } = await globalThis.imagesOf(picture);
        const video = document.createElement('video');
        const early = await classifier.classify(video).catch(({ code, reason }) => `${code} ${reason}`);
        Object.assign(video, { srcObject: canvas.captureStream(30), muted: true });
        const redraw = setInterval(() => canvas.getContext('2d').drawImage(bitmap, 0, 0), 10);
        await video.play();
        const logits = [...(await classifier.logits(video))];
        clearInterval(redraw);
        classifier.close();
        return { early, logits };
      });
      expect(early).toBe('INPUT missing');
      near(logits, expected.png, 0.5);
    });

    testOnce('a batch, in order', async () => {
      const { batch, singles, progress } = await onPage(async ({ ImageClassifier }, { model, settings, picture }) => {
        const classifier = await ImageClassifier.load(model, settings);
        const { blob, canvas, pixels, img } = await globalThis.imagesOf(picture);
        const images = [blob, new ImageData(8, 8), canvas, img, pixels];
        const progress = [];
        const batch = await classifier.classifyBatch(images, { topK: 2, onProgress: (done) => progress.push(done) });
        const singles = [];
        for (const image of images) singles.push(await classifier.classify(image, { topK: 2 }));
        classifier.close();
        return { batch, singles, progress };
      });
      expect(batch).toEqual(singles);
      expect(progress).toEqual([1, 2, 3, 4, 5]);
    });

    test('broken and unreadable pictures are rejected, and the classifier stays usable', async () => {
      const { codes, logits } = await onPage(
        async ({ ImageClassifier }, { model, settings, picture, foreign }) => {
          const classifier = await ImageClassifier.load(model, settings);
          const unloaded = Object.assign(new Image(), { src: '/no-such.png' });
          await unloaded.decode().catch(() => {});
          const tainted = Object.assign(new Image(), { src: foreign });
          await tainted.decode();
          const spoilt = document.createElement('canvas');
          spoilt.getContext('2d').drawImage(tainted, 0, 0);
          const closed = await createImageBitmap(new ImageData(2, 2));
          closed.close();
          const broken = new Blob(['GIF89a'], { type: 'image/gif' });
          const cut = (await (await fetch(picture)).blob()).slice(0, 300);
          const images = [
            ...[
              new Image(),
              unloaded,
              tainted,
              spoilt,
              closed,
              Object.assign(document.createElement('canvas'), { width: 0 }),
            ],
            ...[broken, cut, document.body, picture, { data: new Uint8Array(3), width: 2, height: 2, channels: 3 }],
          ];
          const codes = [];
          for (const image of images) {
            codes.push(
              await classifier.classify(image).then(
                () => 'done',
                ({ code, reason }) => `${code} ${reason}`,
              ),
            );
          }
          const logits = [...(await classifier.logits(await (await fetch(picture)).blob()))];
          classifier.close();
          return { codes, logits };
        },
        { foreign: server.url.replace('127.0.0.1', 'localhost') + picture.slice(1) },
      );
      expect(codes.slice(0, 7)).toEqual([
        ...['INPUT missing', 'INPUT missing', 'INPUT tainted', 'INPUT tainted', 'INPUT missing', 'INPUT missing'],
        'FORMAT malformed',
      ]);
      // Browsers show what there is of a cut file, or refuse it.
      expect(['done', 'FORMAT malformed']).toContain(codes[7]);
      expect(codes.slice(8)).toEqual(['INPUT wrong_type', 'INPUT wrong_type', 'INPUT mismatch']);
      near(logits, expected.png);
    });

    testOnce('aborts and closing', async () => {
      const codes = await onPage(async ({ ImageClassifier }, { model, settings }) => {
        const classifier = await ImageClassifier.load(model, settings);
        const codes = [];
        const note = ({ name, code }) => codes.push(`${name} ${code}`);
        const many = Array.from({ length: 500 }, () => new ImageData(64, 64));
        const controller = new AbortController();
        await classifier
          .classifyBatch(many, { signal: controller.signal, onProgress: () => controller.abort() })
          .catch(note);
        codes.push((await classifier.classify(many[0])).length);
        const pending = classifier.classifyBatch(many).catch(note);
        classifier.close();
        await pending;
        await classifier.classify(many[0]).catch(note);
        return codes;
      });
      expect(codes).toEqual(['AbortError ABORTED', 5, 'QuintetError CLOSED', 'QuintetError CLOSED']);
    });
  });

  test('a picture is turned according to its file', async () => {
    const sizes = await runOn(
      pages.current,
      async ({ ImageClassifier }, { model, jpeg }) => {
        const bytes = new Uint8Array(await (await fetch(jpeg)).arrayBuffer());
        // An Exif segment, after the first, for a quarter turn.
        const exif = [
          0xff, 0xe1, 0, 34, 69, 120, 105, 102, 0, 0, 77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0,
          0, 0, 0, 0, 0,
        ];
        const turned = new Blob([bytes.slice(0, 20), Uint8Array.from(exif), bytes.slice(20)]);
        const classifier = await ImageClassifier.load(model, { inputSize: 64 });
        const shown = await createImageBitmap(turned);
        const answer = { shown: [...(await classifier.logits(shown))], read: [...(await classifier.logits(turned))] };
        const upright = [...(await classifier.logits(new Blob([bytes])))];
        classifier.close();
        return { ...answer, upright, size: [shown.width, shown.height] };
      },
      { model, jpeg: '/tests/fixtures/images/gradient.jpg' },
    );
    expect(sizes.size).toEqual([27, 40]);
    near(sizes.read, sizes.shown, 0.01);
    expect(distance(sizes.read, sizes.upright)).toBeGreaterThan(0.01);
  });

  test('where workers are forbidden it runs on the page, and reports it', async () => {
    const strict = await pages.open(`${server.url}csp.html`);
    const { logits, runtime } = await runOn(
      strict,
      async ({ ImageClassifier }, { model, picture }) => {
        const classifier = await ImageClassifier.load(model, { inputSize: 64 });
        const logits = [...(await classifier.logits(await (await fetch(picture)).blob()))];
        return { logits, runtime: classifier.info.runtime };
      },
      { model, picture },
    );
    near(logits, expected.png);
    expect(runtime.worker).toBe(false);
    expect(runtime.fallbacks.map(({ code }) => code)).toContain('no_worker');
    await strict.close();
  });

  testOnce('only the modules of classification are fetched', async () => {
    server.requests.length = 0;
    await runOn(
      pages.current,
      async ({ ImageClassifier }, model) => (await ImageClassifier.load(model)).close(),
      model,
    );
    const fetched = server.requests.filter((path) => !path.endsWith('.js'));
    expect(fetched.sort()).toEqual([expect.stringMatching(/^\/dist\/quintet-classifier-\w+\.wasm$/), model]);
    expect(server.requests.filter((path) => path.endsWith('worker.js'))).toEqual(['/dist/classifier_worker.js']);
  });

  if (name === 'Chromium') {
    test('the page stays free while a worker decodes and computes', async () => {
      const begin = async ({ ImageClassifier }, model) => {
        const canvas = new OffscreenCanvas(3000, 2000);
        canvas.getContext('2d').fillRect(10, 10, 500, 700);
        const photo = await canvas.convertToBlob({ type: 'image/jpeg' });
        const classifier = await ImageClassifier.load(model);
        return { work: () => classifier.classifyBatch([photo, photo]), close: () => classifier.close() };
      };
      await expectFreePage(pages.current, begin, model);
    });
  }
});
