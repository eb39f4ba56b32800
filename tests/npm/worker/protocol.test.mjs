// A worker answers the calls that its table lists, and nothing else that its objects happen to have.
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

const refused = { kind: 'error', error: { code: 'INTERNAL', message: expect.stringContaining('no method') } };

test('no method is called before there is a model', async () => {
  expect(await ask('tokenize', ['a'])).toMatchObject(refused);
});

test('the methods of the table are called', async () => {
  const options = { format: '', attentionHeads: 0, variant: 'auto', threads: 1 };
  const source = { kind: 'location', href: pathToFileURL(pathOf(base)).href };
  const loaded = await ask('load', [options], [{ name: '', source }]);
  expect(loaded).toMatchObject({ kind: 'result', value: { dimension: expect.any(Number) } });
  const { kind, value } = await ask('countTokens', ['a']);
  expect({ kind, value }).toEqual({ kind: 'result', value: 3 });
});

test.each([
  'close',
  'run',
  'release',
  'compute',
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'description',
])('%s is not', async (method) => {
  expect(await ask(method)).toMatchObject(refused);
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
