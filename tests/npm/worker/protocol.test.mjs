// A worker answers the calls of the page that started it, which are those of the package.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { TextGenerator } from 'quintet';
import { base, pathOf } from '../helpers/embedder_fixtures.mjs';
import { byteModel } from '../helpers/models/byte_model.mjs';

const dist = new URL('../../../dist/', import.meta.url);
let worker;
let lastCall = 0;

/** Calls a method, and gives the worker's answer. */
const ask = (method, args = [], files = []) =>
  new Promise((resolve) => {
    const call = ++lastCall;
    const hear = (message) => {
      if (message.call !== call) return;
      worker.off('message', hear);
      resolve(message);
    };
    worker.on('message', hear);
    worker.postMessage({ kind: 'call', call, method, args, files, events: false });
  });

beforeAll(() => {
  worker = new Worker(new URL('node_embedder_worker.js', dist));
});
afterAll(() => worker.terminate());

test('a call before there is a model is an error', async () => {
  expect(await ask('tokenize', ['a'])).toMatchObject({ kind: 'error', error: { code: 'INTERNAL' } });
});

test('methods are called by their names', async () => {
  const options = { format: '', attentionHeads: 0, variant: 'auto', threads: 1 };
  const source = { kind: 'location', href: pathToFileURL(pathOf(base)).href };
  const loaded = await ask('load', [options], [{ name: '', source }]);
  expect(loaded).toMatchObject({ kind: 'result', value: { dimension: expect.any(Number) } });
  const { kind, value } = await ask('countTokens', ['a']);
  expect({ kind, value }).toEqual({ kind: 'result', value: 3 });
});

test('an unknown method is an error, after which the worker answers', async () => {
  expect(await ask('nothing')).toMatchObject({ kind: 'error', error: { code: 'INTERNAL' } });
  expect(await ask('countTokens', ['a'])).toMatchObject({ kind: 'result', value: 3 });
});

test('a generator is not asked again for facts it has already given', async () => {
  const markers = ['<think>', '</think>', '<tool_call>', '</tool_call>'];
  const location = join(mkdtempSync(join(tmpdir(), 'quintet-protocol-')), 'bytes.gguf');
  writeFileSync(location, byteModel(`{% for m in messages %}{{ m.content }}{% endfor %}{# ${markers} #}`, markers));
  const methods = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...others) {
    if (message.kind === 'call') methods.push(message.method);
    return postMessage.call(this, message, ...others);
  };
  try {
    const model = await TextGenerator.load(location, { worker: true });
    for (let i = 0; i < 2; ++i)
      await model.generate([{ role: 'user', content: 'a' }], { maxTokens: 2, chat: { tools: [{ name: 'f' }] } }).text();
    model.close();
  } finally {
    Worker.prototype.postMessage = postMessage;
    rmSync(dirname(location), { recursive: true });
  }
  expect(methods).toEqual(['load', 'chat', 'specialTokens', 'generate', 'generate']);
});
