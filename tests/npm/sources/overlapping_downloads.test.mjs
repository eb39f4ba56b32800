// Models in several files on a server: their downloads overlap, and the result is the same.
import { afterAll, describe, expect, test } from '@jest/globals';
import { Embedder, TextGenerator } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { listen } from '../helpers/servers/http_server.mjs';

const shardCount = 5;
const most = 3;
const ids = [5, 17, 130, 42];
const nameOf = (i) => `model-0000${i + 1}-of-0000${shardCount}.safetensors`;

/** The files of a model, its tensors dealt out to shards. */
async function sharded(folder, describing) {
  const { tensors } = plainSafetensors(fixtureFile(`${folder}/model.safetensors`));
  const shards = Array.from({ length: shardCount }, () => new Map());
  const map = {};
  [...tensors].forEach(([name, { shape, values }], i) => {
    shards[i % shardCount].set(name, { dtype: 'F32', shape, data: Float32Array.from(values) });
    map[name] = nameOf(i % shardCount);
  });
  const files = Object.fromEntries(describing.map((name) => [name, fixtureFile(`${folder}/${name}`)]));
  files['model.safetensors.index.json'] = new TextEncoder().encode(JSON.stringify({ weight_map: map }));
  for (const [i, shard] of shards.entries()) files[nameOf(i)] = await writeSafetensors(shard);
  return files;
}

const kinds = {
  'a generator': {
    load: (source, options) => TextGenerator.load(source, options),
    // A chat template is not a file of the loader, whose files have numbers.
    files: {
      ...(await sharded('families/olmo2', ['config.json'])),
      'additional_chat_templates/tool_use.jinja': Buffer.from('{{ messages }}'),
    },
    result: (generator) => generator.logits(ids),
  },
  'an embedder': {
    load: (source, options) => Embedder.load(source, options),
    files: await sharded('encoders/bert-xlmr-mean', ['config.json', 'tokenizer.json']),
    result: (embedder) => embedder.embedIds(ids),
  },
};

/** The size of a file before the data of its tensors. */
const headBytes = (file) => 8 + Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));

let answer;
const server = await listen((request, response) => answer(request.url.slice(1), response));
afterAll(() => server.close());
const cases = Object.keys(kinds).flatMap((kind) => [
  [kind, 'in this thread', false],
  [kind, 'in a worker', true],
]);

describe.each(cases)('%s %s', (kind, _, worker) => {
  const { files, load, result } = kinds[kind];
  const urls = Object.fromEntries(Object.keys(files).map((name) => [name, server.url + name]));
  const send = (name, response) => {
    response.writeHead(200, { 'content-length': files[name].length });
    response.end(files[name]);
  };

  test('only the number that is read at once', async () => {
    // The data of tensors is only sent when as many files were asked for as may be, or as are left.
    let open = 0;
    let begun = 0;
    let largest = 0;
    const waiting = [];
    answer = (name, response) => {
      if (!name.endsWith('.safetensors')) return send(name, response);
      largest = Math.max(largest, ++open);
      ++begun;
      const file = files[name];
      response.writeHead(200, { 'content-length': file.length });
      response.write(file.subarray(0, headBytes(file)));
      waiting.push(() => response.end(file.subarray(headBytes(file)), () => --open));
      if (waiting.length === most || begun === shardCount) waiting.splice(0).forEach((finish) => finish());
    };
    const progress = [];
    const model = await load(urls, { worker, onProgress: (each) => progress.push(each) });
    const expected = await load(files, { worker });
    expect(largest).toBe(most);
    expect(await result(model)).toEqual(await result(expected));
    expect(model.info.tensors).toEqual(expected.info.tensors);
    expect(model.info.memory).toEqual(expected.info.memory);
    const loaded = progress.filter(({ stage }) => stage === 'download').map((each) => each.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(loaded.at(-1)).toBe(Object.values(files).reduce((sum, { length }) => sum + length, 0));
    model.close();
    expected.close();
  });

  test('a failed one is reported, whichever others are still open', async () => {
    answer = (name, response) => {
      if (name === nameOf(2)) return response.writeHead(404).end();
      if (!name.endsWith('.safetensors')) return send(name, response);
      response.writeHead(200, { 'content-length': files[name].length });
      response.write(files[name].subarray(0, headBytes(files[name])));
    };
    const error = await failureOf(load(urls, { worker }));
    expect(error).toMatchObject({ code: 'IO', reason: 'http_status' });
  });

  test('an abort ends all of them', async () => {
    const controller = new AbortController();
    let open = 0;
    answer = (name, response) => {
      if (!name.endsWith('.safetensors')) return send(name, response);
      response.writeHead(200, { 'content-length': files[name].length });
      response.write(files[name].subarray(0, headBytes(files[name])));
      if (++open === most) controller.abort();
    };
    expect(await failureOf(load(urls, { worker, signal: controller.signal }))).toMatchObject({ code: 'ABORTED' });
  });
});
