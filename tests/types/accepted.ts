// Code that must compile.
import {
  type CachedModel,
  type Capabilities,
  type Chat,
  type Classification,
  type ClassifierLoadOptions,
  type ConvertOptions,
  capabilities,
  chunkText,
  compileGrammar,
  convert,
  Embedder,
  type EmbedderLoadOptions,
  type EmbedOptions,
  type Entity,
  type ErrorCode,
  type FallbackCode,
  type GenerateOptions,
  type GeneratorLoadOptions,
  type Grammar,
  ImageClassifier,
  type ImageInput,
  inspect,
  type JsonSchema,
  type LoadCacheOptions,
  type LoadOptions,
  type ModelInfo,
  type ModelSource,
  modelCache,
  type PreparedImage,
  QuintetError,
  type RankedText,
  Reranker,
  readTensor,
  type SaveCacheOptions,
  SearchIndex,
  type Session,
  type StandardSchema,
  TextClassifier,
  TextGenerator,
  type TextLabel,
  TokenClassifier,
  Tokenizer,
  validate,
} from 'quintet';
import {
  fromFloat32,
  openSafetensors,
  readSafetensors,
  type SafetensorsFile,
  type SafetensorsTensor,
  type StoredTensor,
  safetensorsStream,
  toFloat32,
  writeSafetensors,
} from 'quintet/safetensors';

const sources: ModelSource[] = [
  'model.weights',
  new URL('https://example.org/model.weights'),
  new Request('https://example.org/'),
  new Response(),
  new Blob([]),
  new ArrayBuffer(8),
  new Uint8Array(8),
  new Blob([]).stream(),
  (async function* () {
    yield new Uint8Array(1);
  })(),
];

const loading: EmbedderLoadOptions = {
  format: 'weights',
  onProgress: ({ stage, loaded, total }) => console.log(stage === 'download', loaded.toFixed(), total?.toFixed()),
  signal: AbortSignal.timeout(1000),
  threads: 'auto',
  worker: true,
  variant: 'relaxed',
  wasm: new Uint8Array(8),
};

const everywhere: LoadOptions[] = [
  {
    threads: 2,
    worker: false,
    memory64: 'auto',
    cache: 'a model',
    integrity: 'sha256-',
    quantize: 'int8',
    attentionHeads: 12,
  },
  { memory64: true, cache: true, wasm: await WebAssembly.compile(new ArrayBuffer(8)) },
  { wasm: new Response() },
  { wasm: new URL('https://example.org/quintet-embedder-relaxed.wasm') },
];

export async function machine(): Promise<void> {
  const { threads, memory64, crossOriginIsolated, runtime }: Capabilities = capabilities();
  console.log(
    threads && memory64 && crossOriginIsolated,
    runtime?.threads.toFixed(),
    runtime?.fallbacks.map(({ message }) => message).join(),
    everywhere,
  );
  for (const { name, bytes } of await modelCache.list()) console.log(name.length, bytes.toFixed());
  await using embedder = await Embedder.load('model.weights', { threads: 'auto' });
  const codes: FallbackCode[] = embedder.info.runtime.fallbacks.map(({ code }) => code);
  console.log(codes, embedder.info.runtime.threads, embedder.info.memory.load);
}

const embedding: EmbedOptions = {
  pooling: 'cls',
  truncate: 'error',
  onTruncate: (index: number, tokens: number) => console.log(index, tokens),
};

export async function everything(): Promise<void> {
  using embedder = await Embedder.load(sources[0]!, loading);
  const one: Float32Array = await embedder.embed('text', embedding);
  const many: Float32Array[] = await embedder.embed(['a', 'b'] as const);
  const { vectors, dimension, tokens, truncated } = await embedder.encode(['a']);
  for await (const vector of embedder.embedStream(new Set(['a']))) console.log(vector.length);
  const ids: Int32Array = await embedder.tokenize('a');
  console.log(many, vectors, dimension, tokens, truncated, await embedder.embedIds([...ids]));

  using reranker = await Reranker.load({ 'model.safetensors': sources[0]! }, { threads: 'auto', quantize: 'int8' });
  const score: number = await reranker.score('query', 'text', { maxLength: 64 });
  const scores: Float32Array = await reranker.score('query', ['a', 'b'] as const);
  const ranked: RankedText[] = await reranker.rank('query', ['a'], {
    topK: 1,
    onTruncate: (i, n) => console.log(i + n),
  });
  console.log(
    score,
    scores,
    ranked[0]?.text,
    await reranker.scoreIds([1], [0]),
    reranker.maxLength,
    reranker.info.format,
  );

  using moods = await TextClassifier.load('hf:a/b', { quantize: 'int8', threads: 1 });
  const mood: TextLabel[] = await moods.classify('a', { topK: 1, onTruncate: (i, n) => console.log(i + n) });
  const lists: TextLabel[][] = await moods.classify(['a', { text: 'a', pair: 'b' }] as const, {
    labels: ['x', 'y'] as const,
    template: 'It is {}.',
    multiLabel: true,
  });
  using names = await TokenClassifier.load(new Blob([]));
  const entities: Entity[] = await names.classify('a', { aggregation: 'first', maxLength: 64 });
  console.log(mood[0]?.label, lists[0]?.[0]?.score, moods.labels, await moods.logitsIds([1], [0]), moods.maxLength);
  console.log(entities[0]?.start, entities[0]?.end, entities[0]?.text, await names.logitsIds([1]), names.info.format);

  const query: Float32Array = await embedder.embedQuery('a', { dimensions: 2 });
  const [first]: Float32Array[] = await embedder.embedDocuments(['a'] as const, { promptName: 'passage' });
  const queries: Float32Array[] = await embedder.embedQuery(['a', 'b']);
  console.log(query, first, queries, (await embedder.encode(['a'], { role: 'document' })).dimension);
  const index = new SearchIndex({ dimension: embedder.dimension, storage: 'int8' });
  index.add({ id: 'a', vector: one, payload: { title: 'A' } });
  index.add({ id: 1, text: 'a text' });
  interface Note {
    title: string;
  }
  const notes = new SearchIndex<Note>({
    embedder,
    reranker,
    dimension: 3,
    keywords: true,
    keepTexts: true,
    threads: 'auto',
    prompts: { query: 'query: ' },
  });
  const added: number = await notes.addTexts([{ id: 1, text: 'a', payload: { title: 'A' } }], {
    onProgress: (done, total) => console.log(done / total),
  });
  await notes.addTexts(
    (async function* () {
      yield { id: 'b', text: 'b' };
    })(),
    { signal: AbortSignal.timeout(9) },
  );
  for (const { id, score, text, payload } of await notes.search('a', {
    mode: 'hybrid',
    vector: one,
    k: 3,
    rerank: 20,
  })) {
    console.log(id, score.toFixed(2), text?.length, payload.title);
  }
  await notes.search('a', { filter: ({ title }) => title !== '', rerank: true, signal: AbortSignal.timeout(9) });
  console.log(added, notes.get(1)?.payload?.title, notes.get('b')?.vector, notes.ids());
  for (const { id, score, payload } of index.nearest(one, { k: 3, filter: (value) => value !== undefined })) {
    console.log(id, score.toFixed(2), payload);
  }
  const saved: Uint8Array = await index.save({ metadata: { corpus: 'a' } });
  const merged: ReadableStream<Uint8Array> = await SearchIndex.merge(['a.index', new URL('https://b/'), saved]);
  console.log(merged.locked);
  using loaded = await SearchIndex.load<Note>(saved, { embedder });
  console.log(loaded.size, await embedder.chunk('a b', { maxTokens: 5 }));

  for (const { text, start, end } of chunkText('a b', { maxTokens: 5, countTokens: (part) => part.length })) {
    console.log(text, end - start);
  }
  using tokenizer = await Tokenizer.load(
    { 'tokenizer.json': saved },
    { onProgress: ({ loaded }) => console.log(loaded) },
  );
  const { ids: pair, types } = tokenizer.encodePair('a', 'b', { maxLength: 8 });
  console.log(tokenizer.decode(tokenizer.encode('a', { parseSpecial: true })), tokenizer.special['bos'], pair, types);
  console.log(
    tokenizer.type,
    tokenizer.size.toFixed(),
    tokenizer.countTokens('a', { addSpecial: false }),
    tokenizer.token(1),
    tokenizer.id('a')?.toFixed(),
  );
  const info: ModelInfo = await inspect(saved, { signal: AbortSignal.timeout(1000), wasm: 'a.wasm', worker: false });
  console.log(info.tensors[0]?.shape, (await validate(saved)).warnings, capabilities().simd);
  const { data } = await readTensor(saved, 'name');
  const stream: ReadableStream<Uint8Array> = convert({ 'config.json': saved }, { to: 'weights', quantize: 'int8-row' });
  console.log(data.length, stream);
  for (const options of conversions) convert(saved, options);
}

const generating: GeneratorLoadOptions = { format: 'amb', quantize: 'int4', kvCache: 'int8', contextLength: 512 };

declare const standard: StandardSchema<unknown, { planet: string; since: number }>;

const sampling: GenerateOptions = {
  maxTokens: 10,
  stop: ['.'] as const,
  logprobs: 2,
  chat: {
    template: 'chatml',
    tools: [{ name: 'now' }],
    addGenerationPrompt: true,
    variables: { enable_thinking: false },
  },
  logitsProcessor: (logits, tokens) => void (logits[tokens.length] = 0),
  onPrefill: (done, total) => console.log(done / total),
};

export async function generation(): Promise<void> {
  using generator: TextGenerator = await TextGenerator.load(sources[0]!, generating);
  await TextGenerator.load({ 'config.json': 'a/config.json', 'model.safetensors': new Uint8Array(8) });
  for await (const { id, text, logprob, top } of generator.generate('a', sampling)) {
    console.log(id.toFixed(), text.length, logprob?.toFixed(), top?.[0]?.text);
  }
  const { reason, tokens } = await generator.generate([1, 2]).finished;
  const text: string = await generator.generate([{ role: 'user', content: 'a' }]).text();
  const stream: ReadableStream<string> = generator.generate(await generator.detokenize([1])).toReadableStream();
  console.log(reason === 'eos', tokens, text, stream, generator.contextLength);
  using grammar: Grammar = await compileGrammar({ gbnf: 'root ::= "a"' });
  const jsonSchema: JsonSchema = { type: 'object' };
  const { name } = await generator.generate<{ name: string }>('a', { jsonSchema, logitBias: { 5: -Infinity } }).json();
  console.log(name.length, grammar.accepts('a'), grammar.gbnf, await generator.generate('a', { grammar }).text());
  await compileGrammar({ jsonSchema: true });
  const answer = await generator.generate('a', { jsonSchema: standard }).json();
  console.log(answer.planet.length, answer.since.toFixed());
  for await (const part of generator.generate('a').parts()) {
    if (part.type !== 'toolCall') console.log(part.text.length);
    else console.log(part.index.toFixed(), part.id, part.name, part.argumentsText.length, part.discarded);
  }
  using chat: Chat = generator.startChat({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'a' }],
    tools: [
      {
        name: 'planets',
        parameters: standard,
        run: ({ planet, since }, { signal, call }) => `${planet.length}${since.toFixed()}${signal.aborted}${call.name}`,
      },
      { name: 'now', description: 'The time', run: async () => new Date() },
      { name: 'ask', parameters: { type: 'object' } },
    ],
    maxRounds: 2,
    temperature: 0,
  });
  for await (const { text } of chat.send('Why?', { signal: AbortSignal.timeout(1000) })) console.log(text.length);
  const { since } = await chat.send([{ role: 'tool', content: '1' }], { jsonSchema: standard }).json();
  console.log(
    since.toFixed(),
    (await chat.regenerate().finished).tokens,
    chat.branch(1).messages.length,
    chat.length.toFixed(),
  );
  (await generator.openChat(await chat.save(), { tools: [{ name: 'now', run: () => 1 }] })).close();
  using session: Session = generator.createSession();
  session.fork().rewind(session.length);
  const logits: Float32Array = await session.logits();
  const saving: SaveCacheOptions = {
    dtype: 'F16',
    compression: 'INT4',
    layout: 'packed',
    groupSize: 64,
    sampler: true,
  };
  const file: Uint8Array = await session.saveCache(saving);
  await session.loadCache(session.cacheStream(), { tokens: [1, 2], sampler: true } satisfies LoadCacheOptions);
  await session.loadCache(file);
  console.log((await session.perplexity('a')).tokens, (await session.generate('').finished).prefillTokens);
  const ids: Int32Array = await generator.tokenize('a', { addBos: false });
  const { perplexity } = await generator.perplexity([...ids]);
  console.log(logits.length, perplexity, session.tokens.length, (await generator.logits([1], { all: true })).length);
}

const seeing: ClassifierLoadOptions = {
  kind: 'sq8',
  labels: ['cat', 'dog'] as const,
  inputSize: 192,
  shorterSide: 224,
  mean: [0.5, 0.5, 0.5],
  std: [1, 1, 1],
  worker: false,
};

const images: ImageInput[] = [
  new Uint8Array(8),
  new ArrayBuffer(8),
  new Blob([]),
  new ImageData(2, 2),
  { data: new Float32Array(12), width: 2, height: 2, channels: 3 },
  document.createElement('canvas'),
  document.createElement('img'),
  document.createElement('video'),
  new OffscreenCanvas(2, 2),
  await createImageBitmap(new ImageData(2, 2)),
];

export async function classification(): Promise<void> {
  using classifier: ImageClassifier = await ImageClassifier.load(sources[0]!, seeing);
  const results: Classification[] = await classifier.classify(images[0]!, { topK: 3, signal: AbortSignal.timeout(9) });
  for (const { label, index, score } of results) console.log(label.length, index.toFixed(), score.toFixed(3));
  const batch = await classifier.classifyBatch(images, { onProgress: (done, total) => console.log(done / total) });
  const logits: Float32Array = await classifier.logits(new Float32Array(12), [3, 2, 2]);
  console.log(
    batch[0]?.[0]?.label,
    logits,
    await classifier.logits(images[1]!),
    classifier.labels[0],
    classifier.inputSize,
  );
  const features: Float32Array = await classifier.features(images[2]!);
  const { data, shape }: PreparedImage = await classifier.prepare(images[3]!);
  console.log(features.length, data.length, shape[0] * shape[1] * shape[2]);
}

async function* pictures() {
  yield new Uint8Array(8);
  yield { data: new Float32Array(12), width: 2, height: 2, channels: 3 } as const;
}

const conversions: ConvertOptions[] = [
  { to: 'amb', quantize: 'adaptive', bits: 4.5, groupSize: 0, scaleType: 'fp32', metadata: { name: 'a' } },
  { to: 'tinyruntime', quantize: 'sq8', observer: 'histogram', calibration: pictures() },
  { to: 'tinyruntime', quantize: 'sq8', calibration: [new ImageData(2, 2), new Blob([])] },
  { to: 'safetensors', onProgress: ({ tensor, done, total }) => console.log(tensor.length, done / total) },
];

export async function containers(): Promise<Uint8Array> {
  const content = await readSafetensors('file.safetensors');
  const tensor: SafetensorsTensor | undefined = content.tensors.get('a');
  if (tensor?.dtype === 'F64') console.log(tensor.data satisfies Float64Array);
  if (tensor?.dtype === 'I64') console.log(tensor.data[0]! + 1n);
  if (tensor) console.log(toFloat32(tensor).length, content.metadata['format']?.length);
  await writeSafetensors(new Map([['a', { dtype: 'F32', shape: [2], data: Float32Array.of(1, 2) }]]), { format: 'pt' });
  const { tensors } = await readSafetensors('file.safetensors', { floats: 'float32' });
  const half = tensors.get('a');
  if (half?.dtype === 'F16') console.log(half.data satisfies Float32Array, await writeSafetensors({ a: half }));
  if (half) console.log(toFloat32(half));
  await using file: SafetensorsFile = await openSafetensors(new Blob([]), { signal: AbortSignal.timeout(1000) });
  const stored: StoredTensor | undefined = file.tensors.get('a');
  const part = await stored?.read({ from: 1, to: 2, floats: 'float32' });
  if (part?.dtype === 'BF16') console.log(part.data satisfies Float32Array);
  const bits: Uint16Array = fromFloat32('BF16', Float32Array.of(1));
  const stream: ReadableStream<Uint8Array> = safetensorsStream(
    {
      a: { dtype: 'BF16', shape: [1], data: bits },
      b: { dtype: 'U8', shape: [1], data: async () => new Blob(['a']) },
      c: { dtype: 'U8', shape: [1], data: () => bits },
    },
    { format: 'pt' },
  );
  console.log(stream);
  return writeSafetensors(content);
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof QuintetError && error.reason !== 'aborted' ? error.code : undefined;
}

export async function cached(): Promise<number> {
  const files: CachedModel[] = await modelCache.list();
  const isGone: boolean = await modelCache.delete(files[0]?.name ?? '');
  await modelCache.clear();
  const options: LoadOptions[] = [{ cache: true }, { cache: 'name' }];
  return (await modelCache.size()) + Number(isGone) + options.length;
}
