// The JavaScript of the guides runs as it stands there, with small files under the names of the real ones, and prints
// what the guides show.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inspect } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { nodePath } from '../../../tools/node_versions.mjs';
import { withChatTemplate, withContextLength } from '../helpers/models/chat_template.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';
import { writeLabelFolder } from '../label/label_folders.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'quintet-guides-'));
const snippetsOf = (page) =>
  [...readFileSync(root + page, 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);

/** A model of Hugging Face from the fixtures, with more files than its own three. */
const folderOf = (name, fixture, others) =>
  Object.fromEntries(
    ['config.json', 'tokenizer.json', 'model.safetensors', ...others].map((file) => [
      `${name}/${file}`,
      `tests/fixtures/${fixture}/${file}`,
    ]),
  );
const chatModel = () => withContextLength(withChatTemplate(`${root}tests/fixtures/families/qwen2-tied.gguf`), 2048);
const files = {
  'model.gguf': chatModel,
  'minilm.weights': 'models/embedder-int8.weights',
  'resnet18.bin': 'tests/fixtures/cifar10/resnet20-cifar10.bin',
  'cat.jpg': 'tests/fixtures/cifar10/drawings/cat.png',
  'dog.png': 'tests/fixtures/cifar10/drawings/dog.png',
  'model.safetensors': 'tests/fixtures/cifar10/resnet20_cifar10.safetensors',
  ...folderOf('models/e5', 'encoders/bert-xlmr-mean', [
    '1_Pooling/config.json',
    'modules.json',
    'sentence_bert_config.json',
    'config_sentence_transformers.json',
  ]),
  ...folderOf('models/answerai-colbert-small-v1', 'token_vectors/colbert-bert', [
    '1_Dense/config.json',
    '1_Dense/model.safetensors',
    'config_sentence_transformers.json',
    'modules.json',
    'sentence_bert_config.json',
    'tokenizer_config.json',
  ]),
  ...folderOf('models/ms-marco-MiniLM-L6-v2', 'rerankers/bert', []),
  ...folderOf('models/siglip-base-patch16-224', 'vision/siglip-hf', ['preprocessor_config.json']),
  'models/dinov2-small/config.json': 'tests/fixtures/vision/dinov2-hf/config.json',
  'models/dinov2-small/preprocessor_config.json': 'tests/fixtures/vision/dinov2-hf/preprocessor_config.json',
  'models/dinov2-small/model.safetensors': 'tests/fixtures/vision/dinov2-hf/model.safetensors',
  'photos/a.jpg': 'models/pictures/cat.jpg',
  'photos/b.png': 'tests/fixtures/vision/images/wide.png',
  'photos/copy of b.png': 'tests/fixtures/vision/images/wide.png',
  'models/qwen2.5-0.5b/tokenizer.json': 'tests/fixtures/tokenizers/qwen2/tokenizer.json',
};

/** Models on a server like the Hub, by name. */
const filesOf = (path) => Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]));
const labelers = {
  'distilbert/distilbert-base-uncased-finetuned-sst-2-english': 'sentiment',
  'MoritzLaurer/deberta-v3-base-zeroshot-v2.0': 'nli',
  'unitary/toxic-bert': 'toxicity',
  'dslim/bert-base-NER': 'ner',
};
const hubModels = {
  'BAAI/bge-m3': () => ({
    ...filesOf(`${root}tests/fixtures/rerankers/xlmr`),
    ...filesOf(`${root}tests/fixtures/token_vectors/bge_m3`),
  }),
  'Qwen/Qwen3-0.6B-GGUF': () => ({ 'Qwen3-0.6B-Q8_0.gguf': chatModel() }),
  'sentence-transformers/all-MiniLM-L6-v2': () => ({
    'minilm.weights': readFileSync(`${root}models/embedder-int8.weights`),
  }),
  'cross-encoder/ms-marco-MiniLM-L6-v2': () => filesOf(root + 'tests/fixtures/rerankers/bert'),
  'google/siglip-base-patch16-224': () => filesOf(root + 'tests/fixtures/vision/siglip-hf'),
};
let hub;

beforeAll(async () => {
  hub = await serveHub();
  for (const [name, filesOfModel] of Object.entries(hubModels)) hub.add(name, filesOfModel());
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/quintet'));
  symlinkSync(`${root}models`, join(folder, 'node_modules/quintet-models'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (typeof source === 'string') copyFileSync(root + source, join(folder, name));
    else writeFileSync(join(folder, name), source());
  }
  const labels = {
    sentiment: ['sad', 'glad'],
    nli: ['entailment', 'neutral', 'contradiction'],
    toxicity: ['insult', 'threat'],
  };
  for (const [name, list] of Object.entries(labels))
    writeLabelFolder(join(folder, `models/${name}`), 'bert', { labels: list });
  writeLabelFolder(join(folder, 'models/ner'), 'bert', { labels: ['B-PER', 'B-LOC'], perToken: true });
  for (const [name, model] of Object.entries(labelers)) hub.add(name, filesOf(join(folder, 'models', model)));
});
afterAll(async () => {
  await hub?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function outputOf(program) {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const env = { ...process.env, HF_ENDPOINT: hub.endpoint, HF_HOME: join(folder, 'hub') };
  const { stdout, stderr } = await run(nodePath(24), [file], { cwd: folder, env });
  expect(stderr).toBe('');
  return stdout;
}

const classes = "const labels = 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ');\n";
const story = `import { TextGenerator } from 'quintet';
import { storyteller } from 'quintet-models';
const model = await TextGenerator.load(storyteller);
`;
const chatting = `import { TextGenerator } from 'quintet';
const model = await TextGenerator.load('model.gguf');
`;
const classifier = `import { readFileSync } from 'node:fs';
import { ImageClassifier } from 'quintet';
${classes}const classifier = await ImageClassifier.load('resnet18.bin', { labels });
`;

const passages = `import { Embedder, SearchIndex } from 'quintet';
const model = await Embedder.load('minilm.weights');
const passages = ['Plants make sugar from light.', 'Rain carries E. coli into rivers.'];
const vectors = await model.embed(passages);
`;

// Page, number of the snippet, what the page leaves to its reader before and after it, what is printed.
test.each([
  ['docs/embedding.md', 0, '', '', /^\[\s*\{\s*id: [012],\s*score: 0\.\d+,\s*text: '/],
  [
    'docs/embedding.md',
    1,
    "import { Embedder } from 'quintet';\n",
    'console.log(model.dimension, model.pooling);',
    /^64 mean$/,
  ],
  [
    'docs/embedding.md',
    2,
    "import { Embedder } from 'quintet';\nconst texts = ['Cats eat mice.', 'Dogs bark.'];\n",
    'console.log(query.kept.length > 2, passages.length, passages[0].vectors.length / passages[0].dimension > 2);',
    /^true 2 true$/,
  ],
  [
    'docs/embedding.md',
    3,
    "import { Embedder } from 'quintet';\n",
    "console.log((await tokens.embedMulti('a cat')).kept[0], (await weights.embedSparse('a cat')).values[0] > 0);",
    /^1 true$/,
  ],
  ['docs/embedding.md', 4, passages, 'model.close();', /^7 12$/],
  [
    'docs/embedding.md',
    5,
    "const passages = ['bamboo', 'a bear from China'];\n",
    '',
    /^\[\s*\{ index: [01], score: -?[\d.]+, text: '/,
  ],
  [
    'docs/embedding.md',
    6,
    "const document = 'A sentence about plants and light. '.repeat(200);\n",
    'console.log(chunks.length > 3);',
    /^true$/,
  ],
  [
    'docs/generation.md',
    0,
    '',
    '',
    /\{\n(\s*(promptTokens|prefillTokens|prefillMs|tokens|decodeMs): [\d.]+,?|\s*reason: '(length|eos)',?){6}\s*\}$/,
  ],
  [
    'docs/generation.md',
    4,
    story,
    'console.log(session.length, other.length > session.length, session.tokens[0]);',
    /^5 true 1$/,
  ],
  [
    'docs/generation.md',
    5,
    `${story}\nconst articles = ['A cat sat.', 'A dog ran.'];`,
    'console.log(titles.length);',
    /^[^]+\n2$/,
  ],
  ['docs/structured_output.md', 0, '', '', /^string number$/],
  ['docs/chat.md', 0, '', 'console.log(chat.messages.at(-1).role);\nmodel.close();', /assistant$/],
  [
    'docs/chat.md',
    1,
    '',
    'console.log(JSON.stringify(text), ids.length > 5);',
    /^"<\|im_start\|>user\\nHi<\|im_end\|>\\n<\|im_start\|>assistant\\n" true$/,
  ],
  ['docs/chat.md', 2, chatting, 'console.log(chat.messages.length);\nmodel.close();', /2$/],
  ['docs/images.md', 0, '', '', /^macaw: 9\d\.\d %$/],
  ['docs/images.md', 2, '', 'console.log(classifier.labels.length, classifier.info.runtime.kernels);', /^1001 \w+/],
  ['docs/images.md', 3, classifier, '', /^$/],
  [
    'docs/images.md',
    6,
    `${classifier}const signal = new AbortController().signal, bar = () => {};\nconst files = ['cat.jpg', 'dog.png'].map((name) => readFileSync(name));\n`,
    'console.log(results.map(([{ label }]) => label).join());',
    /^cat,dog$/,
  ],
  ['docs/images.md', 7, '', 'classifier.close();', /^feathers$/],
  ['docs/image-search.md', 0, '', '', /^\[\s*(\{ id: '[a-z]+', score: -?0\.\d+ \},?\s*){3}\]$/],
  ['docs/image-search.md', 1, '', '', /^a\.jpg .* 0\.\d\d\nb\.png (.*)\ncopy of b\.png \1$/],
  ['docs/image-search.md', 2, '', '', /^copy of b\.png b\.png 1\.000$/m],
  ['docs/labels.md', 0, '', '', /^(sad|glad) [01]\.\d\d 2\n((PER|LOC) .+\n?)+$/],
  ['docs/labels.md', 1, '', '', /^true 2$/],
  ['docs/labels.md', 2, '', '', /^boolean$/],
  ['docs/labels.md', 3, '', '', /^true$/],
  ['docs/tokenizing.md', 0, '', '', /^Int32Array\(4\) \[[\d, ]+\] Hello, world! 4$/],
  [
    'docs/safetensors.md',
    0,
    '',
    'console.log((await readSafetensors(file)).tensors.get("weight").data);',
    /conv1\.weight F32 [^]*Uint16Array\(4\)/,
  ],
  ['docs/getting-started.md', 0, '', '', /^\[\s*\{\s*id: 'tides',/],
  ['docs/devices.md', 0, '', '', /^\d[\d.]* MB true$/],
  ['docs/migrating.md', 0, '', 'model.close();', /\S/],
  ['docs/documents.md', 0, '', 'console.log(hits.map(({ id }) => id).sort().join());', /bread\.md 0,garden\.md 0$/],
  [
    'docs/documents.md',
    1,
    `import { TextGenerator } from 'quintet';
const generator = await TextGenerator.load('model.gguf');
const [question, passages, hits] = ['What makes bread rise?', '[1] Yeast. [2] Salt.', [1, 2]];
`,
    'console.log(result.passages.every((number) => number < 3), typeof result.answer);',
    /^true string$/,
  ],
  ['models/README.md', 0, '', '', /^0\.\d+$/],
  ['models/README.md', 1, '', '', /^(?=[^]*[a-z]{3})[^]{20,}$/], // sampled without a seed
  ['models/README.md', 2, '', '', /^hotdog, hot dog, red hot 0\.9\d$/],
])('%s, snippet %i', async (page, number, before, after, expected) => {
  const output = await outputOf(`${before}${snippetsOf(page)[number]}\n${after}`);
  expect(output.trim()).toMatch(expected);
});

describe('docs/safetensors.md, files on a server', () => {
  let server;
  let uploaded;
  const atServer = (code) => code.replaceAll('https://example.com/', server.url);
  const embedding = { dtype: 'F32', shape: [9, 3], data: Float32Array.from({ length: 27 }, (_, i) => i) };

  beforeAll(async () => {
    const { writeSafetensors } = await import('quintet/safetensors');
    const file = await writeSafetensors({ 'embed_tokens.weight': embedding });
    server = await listen(async (request, response) => {
      if (request.method === 'PUT') {
        const pieces = [];
        for await (const piece of request) pieces.push(piece);
        uploaded = Buffer.concat(pieces);
        response.end();
        return;
      }
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      if (first === undefined) return void response.end(file);
      const end = Math.min(last ? Number(last) : Infinity, file.length - 1);
      response.writeHead(206, { 'Content-Range': `bytes ${first}-${end}/${file.length}`, ETag: '"1"' });
      response.end(file.subarray(Number(first), end + 1));
    });
  });
  afterAll(() => server?.close());

  test('a row is read', async () => {
    const output = await outputOf(
      `${atServer(snippetsOf('docs/safetensors.md')[1])}\nconsole.log(Array.from(row.data ?? row).join());`,
    );
    expect(output.trim()).toBe('21,22,23');
  });

  test('a copy is streamed', async () => {
    await outputOf(atServer(snippetsOf('docs/safetensors.md')[2]));
    const [copy, original] = await Promise.all([
      readSafetensors(uploaded),
      readSafetensors(join(folder, 'model.safetensors')),
    ]);
    expect([...copy.tensors.keys()].sort()).toEqual([...original.tensors.keys()].sort());
    expect((await inspect(uploaded)).tensors.length).toBe(original.tensors.size);
  });
});
