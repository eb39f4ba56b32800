// Code that must compile without the types of the DOM as well: in Node, Deno, Bun and workers.
import {
  capabilities,
  convert,
  Embedder,
  ImageClassifier,
  type ImageInput,
  inspect,
  type LoadOptions,
  type ModelSource,
  modelCache,
  QuintetError,
  SearchIndex,
  TextGenerator,
} from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';

const sources: ModelSource[] = [
  'a',
  new URL('file:///a'),
  new Blob([]),
  new Response(),
  new Uint8Array(8),
  new ArrayBuffer(8),
];
const options = {
  threads: 2,
  memory64: 'auto',
  cache: false,
  signal: AbortSignal.timeout(9),
  wasm: new Uint8Array(8),
} satisfies LoadOptions;
const images: ImageInput[] = [
  new Uint8Array(8),
  { data: new Uint8Array(12), width: 2, height: 2, channels: 3 },
  { data: new Uint8ClampedArray(16), width: 2, height: 2 },
];

export async function everything(source: ModelSource): Promise<Uint8Array> {
  const embedder = await Embedder.load(source, options);
  const vector: Float32Array = await embedder.embed('a');
  new SearchIndex({ dimension: embedder.dimension }).add({ id: 'a', vector });
  const generator = await TextGenerator.load(sources[0]!);
  for await (const { text } of generator.generate('a')) if (text === '') break;
  const classifier = await ImageClassifier.load(sources[1]!);
  for (const { label } of await classifier.classify(images[0]!)) if (label === '') break;
  const info = await inspect(new Response(convert(source, { to: 'safetensors' })));
  if (info.fileSize > (await modelCache.size()) && capabilities().threads) throw new QuintetError('INPUT', 'a');
  embedder.close();
  return writeSafetensors(await readSafetensors(source));
}

// @ts-expect-error: an option that is none
export const refused: LoadOptions = { thread: 2 };
