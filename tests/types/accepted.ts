// What must compile.
import {
  capabilities,
  chunkText,
  convert,
  Embedder,
  inspect,
  QuintetError,
  readTensor,
  SearchIndex,
  validate,
  type EmbedOptions,
  type ErrorCode,
  type LoadOptions,
  type ModelInfo,
  type ModelSource,
} from 'quintet';

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

const loading: LoadOptions = {
  format: 'weights',
  onProgress: ({ stage, loaded, total }) => console.log(stage === 'download', loaded.toFixed(), total?.toFixed()),
  signal: AbortSignal.timeout(1000),
  threads: 'auto',
  worker: true,
  variant: 'relaxed',
  wasm: new Uint8Array(8),
};

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

  const index = new SearchIndex({ dimension: embedder.dimension, storage: 'int8' });
  index.add('a', one, { title: 'A' });
  for (const { id, score, payload } of index.search(one, { k: 3, filter: (value) => value !== undefined })) {
    console.log(id.length, score.toFixed(2), payload);
  }
  const saved: Uint8Array = await index.save();
  await SearchIndex.load(saved);

  for (const { text, start, end } of chunkText('a b', { maxTokens: 5, countTokens: (part) => part.length })) {
    console.log(text, end - start);
  }
  const info: ModelInfo = await inspect(saved);
  console.log(info.tensors[0]?.shape, (await validate(saved)).warnings, capabilities().simd);
  const { data } = await readTensor(saved, 'name');
  const stream: ReadableStream<Uint8Array> = convert({ 'config.json': saved }, { to: 'weights', quantize: 'int8-row' });
  console.log(data.length, stream);
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof QuintetError && error.reason !== 'aborted' ? error.code : undefined;
}
