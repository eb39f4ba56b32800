// Code that must compile, with models of pictures and words.
import {
  ImageEmbedder,
  type ImageEmbedderLoadOptions,
  type ImageInput,
  type PreparedImage,
  type QuintetError,
  type ScoredLabel,
  SearchIndex,
} from 'quintet';

declare const images: readonly ImageInput[];
declare const file: Blob;

async function* pictures() {
  yield new Uint8Array(8);
  yield { data: new Float32Array(12), width: 2, height: 2, channels: 3 } as const;
}

const towers: ImageEmbedderLoadOptions = { towers: 'text', quantize: 'int8', threads: 1, cache: true };

export async function picturesAndWords(): Promise<void> {
  using model: ImageEmbedder = await ImageEmbedder.load({ 'model.safetensors': file }, towers);
  const one: Float32Array = await model.embedImage(images[0]!, { signal: AbortSignal.timeout(9) });
  const many: Float32Array[] = await model.embedImage(images, {
    onProgress: (done, total) => console.log(done / total),
  });
  for await (const vector of model.embedImageStream(pictures(), {})) console.log(vector.length);
  const onError = (index: number, { code }: QuintetError) => console.log(index + 1, code);
  for await (const vector of model.embedImageStream(images, { onError })) console.log(vector.length);
  for await (const vector of model.embedImageStream(images)) console.log(vector.length);
  const word: Float32Array = await model.embedText('a dog');
  const words: Float32Array[] = await model.embedText(['a dog'] as const, {});
  const ids: Int32Array = await model.tokenize('a dog');
  const [best]: ScoredLabel[] = await model.classify(images[1]!, ['dog', 'cat'] as const, { template: '{}', topK: 1 });
  const { data, shape }: PreparedImage = await model.prepare(images[2]!);
  const similarities: Float32Array = model.similarity(one, [word, ...words, ...many]);
  console.log(best?.label, best?.score.toFixed(), similarities, model.dimension, model.info.runtime.threads);
  console.log(await model.embedIds([...ids]), await model.embedPixels(data, shape), model.towers.includes('image'));
  const index = new SearchIndex<{ taken: number }>({ embedder: model });
  index.add({ id: 'a.jpg', vector: one, payload: { taken: 2024 } });
  console.log((await index.search('a dog')).map(({ payload }) => payload.taken));
  await SearchIndex.load('photos.index', { embedder: model });
}
