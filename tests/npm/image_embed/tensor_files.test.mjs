// The bytes that a model of pictures and words reads of its files: those of the chosen tower, from one file or several.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { casesOf, filesOf, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { pictureOf, tensorOf } from '../helpers/vision_fixtures.mjs';

const weights = 'model.safetensors';
const files = filesOf('clip-hf-sparse', [
  'config.json',
  'preprocessor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  weights,
]);
const file = files[weights];

async function expectTexts(embedder) {
  for (const { ids, text, expected, tolerance } of casesOf('clip-hf-sparse', 'textEmbed')) {
    const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(text);
    expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
  }
}

async function expectPictures(embedder) {
  for (const { input, image, expected, tolerance } of casesOf('clip-hf-sparse', 'imageEmbed')) {
    const vector = input
      ? await embedder.embedPixels(tensorOf(input), input.shape)
      : await embedder.embedImage(pictureOf({ image }));
    expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
  }
}

const towers = [
  { name: 'text', other: /^(vision_model|visual_projection)\./, expectVectors: expectTexts },
  { name: 'image', other: /^(text_model|text_projection)\./, expectVectors: expectPictures },
];

/** Bytes of the data of the tensors whose names match. */
const bytesOf = (pattern) =>
  [...plainSafetensors(file).tensors].reduce(
    (sum, [name, { bytes }]) => sum + (pattern.test(name) ? bytes.length : 0),
    0,
  );

/** Serves the weights. `sent` counts the bytes of its answers. */
async function serveWeights({ ranges }) {
  const server = await listen((request, response) => {
    const [from, last] = ranges ? request.headers.range.match(/\d+/g).map(Number) : [0, file.length];
    const part = file.subarray(from, last + 1);
    server.sent += part.length;
    const headers = ranges ? { 'content-range': `bytes ${from}-${from + part.length - 1}/${file.length}` } : {};
    response.writeHead(ranges ? 206 : 200, headers).end(part);
  });
  return Object.assign(server, { sent: 0 });
}

describe.each(towers)('the tower of $name alone', ({ name, other, expectVectors }) => {
  test('is downloaded without the tensors of the other one', async () => {
    const server = await serveWeights({ ranges: true });
    try {
      const progress = [];
      const options = { towers: name, onProgress: (step) => step.stage === 'download' && progress.push(step) };
      await withEmbedder({ ...files, [weights]: server.url }, options, async (embedder) => {
        expect(embedder.towers).toEqual([name]);
        await expectVectors(embedder);
        expect(embedder.info.fileSize).toBeLessThanOrEqual(file.length - bytesOf(other));
      });
      // The header is asked for with what follows it, 64 KB in all.
      expect(server.sent).toBeLessThanOrEqual(Math.max(65_536, file.length - bytesOf(other)) + 65_536);
      expect(server.sent).toBeLessThan(file.length);
      const { loaded, total } = progress.at(-1);
      expect(loaded).toBe(total);
      // Known before the first byte of a tensor is loaded.
      const described = Object.values(files).reduce((sum, { length }) => sum + length, -file.length);
      expect(progress.find((step) => step.loaded >= described && step.total !== undefined)).toMatchObject({ total });
    } finally {
      await server.close();
    }
  });

  test('is read from a server without ranges, a Blob, bytes and a stream', async () => {
    const server = await serveWeights({ ranges: false });
    try {
      const sources = [server.url, new Blob([file]), file, new Blob([file]).stream()];
      for (const source of sources) {
        for (const worker of [false, true]) {
          if (worker && source instanceof ReadableStream) continue;
          await withEmbedder({ ...files, [weights]: source }, { towers: name, worker }, expectVectors);
        }
      }
    } finally {
      await server.close();
    }
  });

  test('of a damaged file fails as the whole file does', async () => {
    for (const broken of [file.subarray(0, 40_000), file.subarray(0, 5), new TextEncoder().encode('<html></html>')]) {
      const failure = await failureOf(withEmbedder({ ...files, [weights]: broken }, { towers: name }));
      expect(failure).toMatchObject({ code: 'FORMAT' });
      expect(failure.message).toContain(weights);
      const stream = new Blob([broken]).stream();
      const streamed = await failureOf(withEmbedder({ ...files, [weights]: stream }, { towers: name }));
      expect(streamed).toMatchObject({ code: 'FORMAT' });
    }
  });

  test('of a file with 150,000 unknown tensors fails with an error of that file', async () => {
    const empty = { dtype: 'F32', shape: [0], data_offsets: [0, 0] };
    const header = Buffer.from(
      JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [i, empty]))),
    );
    const crowded = Buffer.concat([Buffer.alloc(8), header]);
    crowded.writeBigUInt64LE(BigInt(header.length));
    const failure = await failureOf(withEmbedder({ ...files, [weights]: crowded }, { towers: name }));
    expect(failure).toMatchObject({ code: 'FORMAT' });
    expect(failure.message).toContain(weights);
  });
});

const { tensors } = plainSafetensors(file);
const names = [...tensors.keys()];
const shardOf = (keeps) =>
  writeSafetensors({
    tensors: Object.fromEntries(
      names.filter(keeps).map((name) => {
        const { dtype, shape, bytes } = tensors.get(name);
        return [name, { dtype, shape, data: new Uint16Array(bytes.slice().buffer) }];
      }),
    ),
  });
// Tensors of both towers are in both.
const first = (name) => names.indexOf(name) % 2 === 0;
const shards = {
  'model-00001-of-00002.safetensors': await shardOf(first),
  'model-00002-of-00002.safetensors': await shardOf((name) => !first(name)),
};
const map = Object.fromEntries(names.map((name) => [name, Object.keys(shards)[first(name) ? 0 : 1]]));
const { [weights]: _, ...described } = files;
const index = new TextEncoder().encode(JSON.stringify({ metadata: {}, weight_map: map }));
const split = { ...described, 'model.safetensors.index.json': index, ...shards };

describe('a model in several files', () => {
  test('has the vectors of the model in one file', async () => {
    await withEmbedder(split, {}, async (embedder) => {
      await expectTexts(embedder);
      await expectPictures(embedder);
    });
    for (const { name, expectVectors } of towers) await withEmbedder(split, { towers: name }, expectVectors);
  });

  test('loads from a path', async () => {
    const path = await mkdtemp(join(tmpdir(), 'quintet-shards-'));
    try {
      for (const [name, bytes] of Object.entries(split)) await writeFile(join(path, name), bytes);
      await withEmbedder(path, { towers: 'text' }, expectTexts);
    } finally {
      await rm(path, { recursive: true });
    }
  });

  test('without one of them, or with one twice, is rejected', async () => {
    const { 'model-00002-of-00002.safetensors': second, ...incomplete } = split;
    expect(await failureOf(withEmbedder(incomplete))).toMatchObject({ code: 'FORMAT', reason: 'missing' });
    const repeated = { ...incomplete, 'model-00003-of-00003.safetensors': shards['model-00001-of-00002.safetensors'] };
    expect(await failureOf(withEmbedder({ ...repeated, 'model-00002-of-00002.safetensors': second }))).toMatchObject({
      code: 'FORMAT',
    });
    const { 'model.safetensors.index.json': _index, ...unlisted } = split;
    expect(await failureOf(withEmbedder(unlisted))).toMatchObject({ code: 'FORMAT', reason: 'missing' });
  });
});
