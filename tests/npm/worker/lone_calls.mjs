// Programs that await one call after another and do nothing else, so that nothing but the calls keeps their process
// alive.
import { run } from '../helpers/program.mjs';

const start = `
  import { readFile } from 'node:fs/promises';
  import { compileGrammar, convert, Embedder, ImageClassifier, ImageEmbedder, inspect, readTensor, Reranker, SearchIndex } from 'quintet';
  import { TextGenerator, Tokenizer, validate } from 'quintet';
  import { classifier, embedder, storyteller } from './models/index.js';
  const reranker = 'tests/fixtures/rerankers/bert';
  const clip = 'tests/fixtures/vision/clip-hf-sparse';
  const prompt = 'Once upon a time';
  const answer = { temperature: 0, maxTokens: 60 };
  const picture = { data: new Uint8ClampedArray(64 * 64 * 4), width: 64, height: 64 };
  const vectors = () => Array.from({ length: 3000 }, (_, i) => Float32Array.of(Math.sin(i), Math.cos(i), 1, i / 3000));
  const texts = (count) => Array.from({ length: count }, (_, i) => 'a text '.repeat(i + 1));
  async function* later(list) {
    for (const each of list) {
      await new Promise((resolve) => setImmediate(resolve));
      yield each;
    }
  }
  /** Reads some items of a stream, or all of them, and returns how many there were. */
  async function count(stream, most = Infinity) {
    let read = 0;
    for await (const _ of stream) if (++read === most) break;
    return read;
  }
  /** Reads some items, and no more: the loop is not left. */
  async function begin(stream, items) {
    const reader = stream[Symbol.asyncIterator]();
    for (let i = 0; i < items; ++i) await reader.next();
    kept.push(reader);
  }
  const kept = [];
  const codeOf = (call) => call.then(() => 'none', (error) => error.code ?? error.message);
  const fail = () => {
    throw new Error('mine');
  };
  const aborted = (call) => {
    const controller = new AbortController();
    const answered = call(controller.signal);
    controller.abort();
    return answered;
  };
  let current = 'the first call';
  process.on('exit', () => current && console.error('in ' + current));
  /** There is nothing left to do: the process must end now. */
  function finish(answers) {
    current = undefined;
    console.log(JSON.stringify(answers));
    const late = setTimeout(() => {
      console.error('it does not end');
      process.exit(3);
    }, 20_000);
    late.unref();
  }
`;

/** The model that each class loads, and its calls, by name: an expression, and the answer if it is known. */
export const calls = {
  TextGenerator: {
    load: 'TextGenerator.load(storyteller, options)',
    calls: {
      'for await': ['count(model.generate(prompt, answer))', 60],
      'toReadableStream()': [
        'count(model.generate(prompt, answer).toReadableStream()).then((read) => read > 20)',
        true,
      ],
      'text()': ['model.generate(prompt, answer).text().then(({ length }) => length > 60)', true],
      finished: ['model.generate(prompt, answer).finished.then(({ tokens }) => tokens)', 60],
      'a generation with logitsProcessor': ['count(model.generate(prompt, { ...answer, logitsProcessor() {} }))', 60],
      'a generation with onPrefill': ['count(model.generate(prompt, { ...answer, onPrefill() {} }))', 60],
      'a generation with a grammar': ["count(model.generate(prompt, { ...answer, grammar: 'root ::= [a-z]+' }))", 60],
      'a generation that is left': ['count(model.generate(prompt, answer), 9)', 9],
      'a generation that is left, with logitsProcessor': [
        'count(model.generate(prompt, { ...answer, logitsProcessor() {} }), 9)',
        9,
      ],
      'a generation whose onPrefill throws': [
        'codeOf(count(model.generate(prompt, { ...answer, onPrefill: fail })))',
        'mine',
      ],
      'a generation whose logitsProcessor throws': [
        'codeOf(count(model.generate(prompt, { ...answer, logitsProcessor: fail })))',
        'mine',
      ],
      'a generation that is aborted': [
        'aborted((signal) => count(model.generate(prompt, { ...answer, signal })).then((read) => read < 60))',
        true,
      ],
      'generations that wait for another': [
        'Promise.all([1, 2, 3].map(() => count(model.generate(prompt, answer))))',
        [60, 60, 60],
      ],
      json: ['model.generate(prompt, { ...answer, jsonSchema: { const: 5 } }).json()', 5],
      'session.generate': ['count(model.createSession().generate(prompt, answer))', 60],
      'generations of sessions': [
        'Promise.all([1, 2, 3].map(() => count(model.createSession().generate(prompt, answer))))',
        [60, 60, 60],
      ],
      tokenize: ['model.tokenize(prompt)'],
      countTokens: ['model.countTokens(prompt)'],
      detokenize: ['model.detokenize([5, 6])'],
      tokenTexts: ['model.tokenTexts([5, 6])'],
      logits: ['model.logits([1, 5, 6])'],
      perplexity: ['model.perplexity(prompt.repeat(20))'],
      'an aborted perplexity': [
        'codeOf(aborted((signal) => model.perplexity(prompt.repeat(20), { signal })))',
        'ABORTED',
      ],
      applyChatTemplate: ["model.applyChatTemplate([{ role: 'user', content: 'Hi' }], { template: 'chatml' })"],
    },
  },
  Session: {
    load: `TextGenerator.load(storyteller, options).then(async (generator) => {
      const session = generator.createSession();
      await session.generate(prompt, answer).text();
      return session;
    })`,
    calls: {
      logits: ['model.logits()'],
      perplexity: ['model.perplexity(prompt)'],
      fork: ['model.fork().logits()'],
      rewind: ['model.rewind(60), model.logits()'],
      'generate, again and again': ["model.rewind(5), count(model.generate('', answer))", 60],
      saveCache: ['model.saveCache()'],
      'an aborted saveCache': ['codeOf(aborted((signal) => model.saveCache({ signal })))', 'ABORTED'],
      cacheStream: ['count(model.cacheStream()).then((read) => read > 0)', true],
      'cacheStream, left': ['count(model.cacheStream(), 1)', 1],
      loadCache: ['model.saveCache().then((cache) => model.loadCache(cache))'],
      'loadCache of a stream': ['model.loadCache(model.cacheStream())'],
      'loadCache of what is no cache': ['codeOf(model.loadCache(new Uint8Array(20)))', 'FORMAT'],
      close: [
        'codeOf((() => { const fork = model.fork(); const text = fork.generate(prompt, answer).text(); fork.close(); return text; })())',
        'CLOSED',
      ],
    },
  },
  Embedder: {
    load: 'Embedder.load(embedder, options)',
    calls: {
      embed: ['model.embed(texts(8)).then(({ length }) => length)', 8],
      'an aborted embed': ['codeOf(aborted((signal) => model.embed(texts(8), { signal })))', 'ABORTED'],
      'embed with progress': ['model.embed(texts(8), { onProgress() {} }).then(({ length }) => length)', 8],
      'embed whose onProgress throws': ['codeOf(model.embed(texts(8), { onProgress: fail }))', 'mine'],
      encode: ['model.encode(texts(3))'],
      embedStream: ['count(model.embedStream(texts(16)))', 16],
      'embedStream of what comes later': ['count(model.embedStream(later(texts(16))))', 16],
      'embedStream, left': ['count(model.embedStream(texts(16)), 3)', 3],
      embedIds: ['model.embedIds([5, 6])'],
      tokenize: ["model.tokenize('a text')"],
      countTokens: ["model.countTokens('a text')"],
      tokenTexts: ['model.tokenTexts([5, 6])'],
      chunk: ["model.chunk('a text '.repeat(100))"],
    },
  },
  Reranker: {
    load: 'Reranker.load(reranker, options)',
    calls: {
      score: ["model.score('query', texts(5))"],
      rank: ["model.rank('query', texts(5))"],
      scoreIds: ['model.scoreIds([5, 6])'],
    },
  },
  ImageClassifier: {
    load: 'ImageClassifier.load(classifier, options)',
    calls: {
      classify: ['model.classify(picture)'],
      classifyBatch: ['model.classifyBatch([picture, picture])'],
      logits: ['model.logits(picture)'],
      'logits of values': ['model.logits(new Float32Array(3 * 32 * 32), [3, 32, 32])'],
      features: ['model.features(picture)'],
      prepare: ['model.prepare(picture)'],
    },
  },
  ImageEmbedder: {
    load: 'ImageEmbedder.load(clip, options)',
    calls: {
      embedImage: ['model.embedImage(picture)'],
      'embedImage of a list': ['model.embedImage([picture, picture]).then(({ length }) => length)', 2],
      embedImageStream: ['count(model.embedImageStream(later([picture, picture, picture])))', 3],
      'embedImageStream, left': ['count(model.embedImageStream(later([picture, picture, picture])), 1)', 1],
      embedText: ["model.embedText('a dog')"],
      embedPixels: ['model.embedPixels(new Float32Array(3 * 40 * 40), [3, 40, 40])'],
      embedIds: ['model.embedIds([5, 6])'],
      tokenize: ["model.tokenize('a dog')"],
      classify: ["model.classify(picture, ['dog', 'cat']).then(({ length }) => length)", 2],
      prepare: ['model.prepare(picture)'],
    },
  },
  'functions on files': {
    calls: {
      inspect: ['inspect(embedder, { worker })'],
      'inspect with progress': ['inspect(embedder, { worker, onProgress() {} })'],
      'inspect whose onProgress throws': ['codeOf(inspect(embedder, { worker, onProgress: fail }))', 'mine'],
      validate: ['validate(storyteller, { worker })'],
      readTensor: [
        'inspect(embedder, { worker }).then(({ tensors }) => readTensor(embedder, tensors[0].name, { worker }))',
      ],
      convert: ["count(convert(embedder, { to: 'safetensors', worker })).then((read) => read > 0)", true],
      'convert, left': ["count(convert(embedder, { to: 'safetensors', worker }), 1)", 1],
      'convert of bytes': [
        "readFile(embedder).then((bytes) => count(convert(bytes, { to: 'weights', worker }))).then((read) => read > 0)",
        true,
      ],
      'an aborted convert': [
        "codeOf(aborted((signal) => count(convert(embedder, { to: 'safetensors', worker, signal }))))",
        'ABORTED',
      ],
    },
  },
  loading: {
    calls: {
      TextGenerator: ['TextGenerator.load(storyteller, options).then((it) => it.close())'],
      'TextGenerator after a load that was aborted while it ran': [
        `(async () => {
        const controller = new AbortController();
        const onProgress = () => controller.abort();
        const first = await codeOf(TextGenerator.load(storyteller, { ...options, signal: controller.signal, onProgress }));
        (await TextGenerator.load(storyteller, options)).close();
        return first;
      })()`,
        'ABORTED',
      ],
      'TextGenerator after one that was closed while it generated': [
        `(async () => {
        const first = await TextGenerator.load(storyteller, options);
        const answered = codeOf(first.generate(prompt, { temperature: 0, onPrefill: () => first.close() }).text());
        const code = await answered;
        (await TextGenerator.load(storyteller, options)).close();
        return code;
      })()`,
        'CLOSED',
      ],
      'TextGenerator with progress': [
        'TextGenerator.load(storyteller, { ...options, onProgress() {} }).then((it) => it.close())',
      ],
      'TextGenerator whose onProgress throws': [
        'codeOf(TextGenerator.load(storyteller, { ...options, onProgress: fail }))',
        'mine',
      ],
      'TextGenerator, aborted': [
        'codeOf(aborted((signal) => TextGenerator.load(storyteller, { ...options, signal })))',
        'ABORTED',
      ],
      'TextGenerator from a stream': [
        'readFile(storyteller).then((bytes) => TextGenerator.load(new Blob([bytes]).stream(), options)).then((it) => it.close())',
      ],
      'TextGenerator of what is no model': ['codeOf(TextGenerator.load(new Uint8Array(20), options))', 'FORMAT'],
      Embedder: ['Embedder.load(embedder, options).then((it) => it.close())'],
      Reranker: ['Reranker.load(reranker, options).then((it) => it.close())'],
      ImageClassifier: ['ImageClassifier.load(classifier, options).then((it) => it.close())'],
      ImageEmbedder: ['ImageEmbedder.load(clip, options).then((it) => it.close())'],
      Tokenizer: ['Tokenizer.load(storyteller).then((it) => it.encode(prompt))'],
      compileGrammar: ["compileGrammar({ gbnf: 'root ::= \"a\"' }).then((it) => it.accepts('a'))", true],
      SearchIndex: [
        `(async () => {
        const index = new SearchIndex({ dimension: 4 });
        vectors().forEach((vector, i) => index.add({ id: String(i), vector }));
        const loaded = await SearchIndex.load(await index.save(), { threads: 2 });
        kept.push(loaded);
        return loaded.nearest(vectors()[5], { k: 3 }).length;
      })()`,
        3,
      ],
    },
  },
};

/** The end of a program comes by itself with each of these, although nothing is closed. */
export const idle = {
  'a model': 'kept.push(model)',
  'a generation that nobody reads': 'kept.push(model.generate(prompt, answer))',
  'a generation with logitsProcessor that nobody reads':
    'kept.push(model.generate(prompt, { ...answer, logitsProcessor() {} }))',
  'a generation that is no longer read': 'await begin(model.generate(prompt, answer), 5)',
  'a stream of text that is no longer read': 'await begin(model.generate(prompt, answer).toReadableStream(), 5)',
  'an aborted generation that nobody reads':
    'kept.push(aborted((signal) => model.generate(prompt, { ...answer, signal })))',
  'a generation behind one that nobody reads':
    'kept.push(model.generate(prompt, answer), model.generate(prompt, answer))',
  'a session': 'kept.push(model.createSession())',
  'a cache that is no longer read':
    'const session = model.createSession(); await session.generate(prompt, answer).text(); await begin(session.cacheStream(), 1)',
  'a conversion that nobody reads': "kept.push(convert(embedder, { to: 'safetensors', worker }))",
  'a conversion that is no longer read': "await begin(convert(embedder, { to: 'safetensors', worker }), 1)",
  'texts that are no longer read': 'await begin((await Embedder.load(embedder, options)).embedStream(texts(16)), 3)',
};

const optionsOf = (worker) => `const worker = ${worker}; const options = ${worker ? '{ worker }' : '{ threads: 2 }'};`;

/** Awaits all or one of the calls, `times` each, and gives the answers to the last of each by name. */
export function runCalls(kind, { worker, times, only, node }) {
  const { load, calls: all } = calls[kind];
  const chosen = Object.entries(all).filter(([name]) => only === undefined || name === only);
  const awaited = chosen.map(
    ([name, [call]]) => `
    current = ${JSON.stringify(name)};
    for (let time = 0; time < ${times}; ++time) answers[current] = await (${call});`,
  );
  return run(
    `${start} ${optionsOf(worker)}
    ${load ? `const model = await ${load};` : ''}
    const answers = {};
    ${awaited.join('')}
    finish(answers);`,
    { node },
  );
}

/** Leaves these behind. */
export const runIdle = (names, { worker, node }) =>
  run(
    `${start} ${optionsOf(worker)}
    const model = await TextGenerator.load(storyteller, options);
    ${names.map((name) => `{ ${idle[name]}; }`).join('\n')}
    finish(true);`,
    { node },
  );
